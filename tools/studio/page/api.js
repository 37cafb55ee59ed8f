// Requests to the server. Every answer is JSON; an error is thrown with its text.

export async function get(path) {
  return readable(await fetch(path, {headers: {Accept: 'application/json'}}));
}

export async function post(path, body = {}) {
  return readable(await fetch(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
  }));
}

async function readable(response) {
  const answer = await response.json().catch(() => ({error: `${response.status}`}));
  if (!response.ok || answer.error) throw new Error(answer.error ?? `${response.status}`);
  return answer;
}

export function query(values) {
  return '?' + new URLSearchParams(Object.entries(values).filter(([, value]) => value));
}

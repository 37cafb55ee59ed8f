// Requests to the service. Every answer is JSON; an error is thrown with its text, and as
// `unreachable` if there is no answer.

import {reach} from './reach.js';

async function ask(path, options) {
  let response;
  try {
    response = await reach(path, options);
  } catch (cause) {
    const error = new Error('the studio does not answer', {cause});
    error.unreachable = cause.name !== 'TimeoutError';
    throw error;
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok && !answer.error) return answer;
  const error = new Error(answer.error ?? words(response.status));
  error.status = response.status;
  throw error;
}

function words(status) {
  if (status === 403) return 'another studio answers at this address';
  if (status === 413) return 'this is more than the studio takes at once';
  return `the studio answers with status ${status}`;
}

/** `patience`: milliseconds after which an answer is given up. */
export function get(path, patience = 0) {
  const signal = patience ? AbortSignal.timeout(patience) : null;
  return ask(path, {headers: {Accept: 'application/json'}, signal});
}

export function post(path, body = {}) {
  return ask(path, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
  });
}

export function query(values) {
  return '?' + new URLSearchParams(Object.entries(values).filter(([, value]) => value));
}

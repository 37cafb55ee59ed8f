// A whole scenario as one text: "#s=" and base64url of its JSON, compressed.

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function writeLink(scenario) {
  const text = new TextEncoder().encode(JSON.stringify(scenario));
  const bytes = await through(new CompressionStream('deflate-raw'), text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return '#s=' + btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export async function readLink(link) {
  const code = link.slice(link.indexOf('#s=') + 3).trim();
  const binary = atob(code.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const text = await through(new DecompressionStream('deflate-raw'), bytes);
  return JSON.parse(new TextDecoder().decode(text));
}

// The studio's service, reached over HTTP. In the page that works without a server, another module of
// this name takes its place (tools/html).

/** As fetch: a promise of a response. */
export const reach = (path, options) => fetch(path, options);

/** What the page shows of the path of a file that holds a session. */
export const place = (path) => path;

/** How to get a lost service back. */
export const again = 'Start vgsim studio again: this page finds it.';

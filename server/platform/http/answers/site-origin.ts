// Calls of our own pages where the API has another origin than the site: https://fetch.spec.whatwg.org/#http-cors-protocol

import type { FastifyInstance } from 'fastify';

/** Headers that pages send with calls. */
const SENT = 'accept, accept-language, authorization, client-id, content-type, idempotency-key, last-event-id';
/** Headers of answers that pages may read. */
const READ = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds for which a browser remembers what it may send: the most that one takes. */
const REMEMBERED = '7200';

/** Lets the pages of one origin, and of no other, call the API. The cookie by which devices are known comes along. */
export function letSiteCall(app: FastifyInstance, site: string, isApi: (url: string) => boolean): void {
  app.addHook('onRequest', ({ url, method, headers }, reply, done) => {
    if (!isApi(url)) return done();
    // Set below the framework: streams and most answers are sent past it.
    reply.raw.setHeader('vary', 'origin');
    if (headers.origin !== site) return done();
    reply.raw.setHeader('access-control-allow-origin', site);
    reply.raw.setHeader('access-control-allow-credentials', 'true');
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      reply.raw.setHeader('access-control-expose-headers', READ);
      return done();
    }
    void reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': SENT,
        'access-control-max-age': REMEMBERED,
      })
      .send();
  });
}

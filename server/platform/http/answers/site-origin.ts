// CORS for pages of the site, if the API has another origin: https://fetch.spec.whatwg.org/#http-cors-protocol

import type { FastifyInstance } from 'fastify';

/** Request headers that pages of the site may send. */
const SENT = 'accept, accept-language, authorization, client-id, content-type, idempotency-key, last-event-id';
/** Answer headers that pages of the site may read. */
const READ = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Seconds for which browsers may cache a preflight answer. No browser accepts a longer time. */
const REMEMBERED = '7200';

/** Allows pages of the site's origin to call the API with their device cookie. Pages of other origins stay forbidden. */
export function letSiteCall(app: FastifyInstance, site: string, isApi: (url: string) => boolean): void {
  app.addHook('onRequest', ({ url, method, headers }, reply, done) => {
    if (!isApi(url)) return done();
    // Set on the raw response: streams and most answers bypass the framework.
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

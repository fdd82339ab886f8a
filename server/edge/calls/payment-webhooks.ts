import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '@kurs/contract';
import { takeWebhook } from '../../payments/index.ts';
import type { Db, Server } from '../../platform/index.ts';

const LARGEST = 65_536;

/**
 * Mounts the URL for providers' webhooks: `POST /api/v1/payment/<rail>/confirmation`. The signature covers the body's raw
 * bytes. A webhook is stored before it is answered. The answer has the form that the provider expects.
 */
export function mountWebhooks(server: Server, db: Db): void {
  void server.app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST }, (_request, body, done) => done(null, body));
    scope.post<{ Params: { rail: string } }>('/api/v1/payment/:rail/confirmation', (request, reply) =>
      take(server, db, request, reply),
    );
  });
}

async function take(
  server: Server,
  db: Db,
  request: FastifyRequest<{ Params: { rail: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const raw = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const { ip } = server.contextOf(request, { clientId: 'public', locale: 'en', idempotencyKey: undefined });
  const answer = await takeWebhook(db, request.params.rail, { raw, headers }, ip);
  if (answer === 'no_rail') throw new Problem('not_found');
  return reply.code(answer.status).header('cache-control', 'no-store').type(answer.type).send(answer.body);
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';

/** Shares of answers (0 to 1) that go wrong, each drawn by itself, and how long a delay lasts. */
export interface FaultRates {
  /** The call is done, the connection breaks before the answer. */
  readonly lost_replies: number;
  /** Something is told twice: a row of a list, a webhook. */
  readonly duplicates: number;
  readonly delays: number;
  readonly delay_ms: number;
  /** Neither done nor answered; the connection stays open. */
  readonly hangs: number;
  /** 503 without being done. */
  readonly errors: number;
  /** A read is answered as it was answered before. */
  readonly stale: number;
  /** A webhook carries a signature that does not fit (rails with webhooks). */
  readonly wrong_signatures: number;
}

const NO_FAULTS: FaultRates = {
  lost_replies: 0,
  duplicates: 0,
  delays: 0,
  delay_ms: 1500,
  hangs: 0,
  errors: 0,
  stale: 0,
  wrong_signatures: 0,
};

const REMEMBERED_ANSWERS = 2000;

/** The faults of one counterpart: set rates, then every call of the scope that they are mounted in draws from them. */
export class Faults {
  rates: FaultRates = NO_FAULTS;
  readonly #chance: () => number;
  readonly #answers = new Map<string, string>();

  /** `chance` gives numbers from 0 to below 1 (a test puts its own). */
  constructor(chance: () => number = Math.random) {
    this.#chance = chance;
  }

  /** Sets the rates; those not named become zero. */
  set(rates: Partial<FaultRates>): void {
    this.rates = { ...NO_FAULTS, ...rates };
  }

  /** Whether a fault of this share happens now. */
  strikes(share: number): boolean {
    return share > 0 && this.#chance() < share;
  }

  /** Makes every route of the scope misbehave by the rates. */
  mount(scope: FastifyInstance): void {
    scope.addHook('preHandler', (request, reply) => this.#before(request, reply));
    scope.addHook('onSend', (request, reply, payload) => this.#after(request, reply, payload));
  }

  async #before(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (this.strikes(this.rates.hangs)) {
      reply.hijack();
      return reply;
    }
    if (this.strikes(this.rates.errors)) return reply.code(503).type('text/plain').send('Service Unavailable');
    if (this.strikes(this.rates.delays)) await sleep(this.rates.delay_ms);
    const before = request.method === 'GET' && this.strikes(this.rates.stale) ? this.#answers.get(request.url) : undefined;
    if (before !== undefined)
      return reply.type(before.startsWith('{') || before.startsWith('[') ? 'application/json' : 'text/plain').send(before);
    return undefined;
  }

  async #after(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    if (request.method === 'GET' && reply.statusCode === 200 && typeof payload === 'string') this.#remember(request.url, payload);
    if (this.strikes(this.rates.lost_replies)) request.raw.socket.destroy();
    return payload;
  }

  #remember(url: string, payload: string): void {
    this.#answers.delete(url);
    this.#answers.set(url, payload);
    if (this.#answers.size > REMEMBERED_ANSWERS) this.#answers.delete(this.#answers.keys().next().value as string);
  }
}

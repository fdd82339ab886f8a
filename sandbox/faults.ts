import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';

/** Probabilities (0 to 1) of faults in answers, drawn independently, and the duration of a delay. */
export interface FaultRates {
  /** The call is carried out, and the connection breaks before the answer. */
  readonly lost_replies: number;
  /** Something is reported twice: a row of a list, a webhook. */
  readonly duplicates: number;
  readonly delays: number;
  readonly delay_ms: number;
  /** The call is neither carried out nor answered; the connection stays open. */
  readonly hangs: number;
  /** The answer is 503, and the call is not carried out. */
  readonly errors: number;
  /** A read returns an earlier answer. */
  readonly stale: number;
  /** A webhook has a wrong signature (rails with webhooks). */
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

/** Faults of one counterpart. After its rates are set, each call of the scope in which it is mounted draws from them. */
export class Faults {
  rates: FaultRates = NO_FAULTS;
  readonly #chance: () => number;
  readonly #answers = new Map<string, string>();

  /** `chance` returns numbers from 0 to below 1; tests replace it. */
  constructor(chance: () => number = Math.random) {
    this.#chance = chance;
  }

  /** Sets the named rates and resets all others to zero. */
  set(rates: Partial<FaultRates>): void {
    this.rates = { ...NO_FAULTS, ...rates };
  }

  /** Draws a fault with this probability. */
  strikes(share: number): boolean {
    return share > 0 && this.#chance() < share;
  }

  /** Adds faults to all routes of the scope. */
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

// What the bench uses of autocannon, which comes without types.
declare module 'autocannon' {
  interface Request {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly setupClient: (client: { setRequests(requests: readonly Request[]): void }) => void;
  }
  interface Result {
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly statusCodeStats: Readonly<Record<string, unknown>>;
    /** Milliseconds. */
    readonly latency: { readonly p97_5: number; readonly p50: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}

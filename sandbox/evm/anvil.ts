import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running anvil: its own port on this machine, and a promise of its end. */
export interface AnvilProcess {
  readonly url: string;
  readonly pid: number;
  readonly ended: Promise<void>;
  kill(): Promise<void>;
}

const UP_WITHIN_MS = 10_000;
/** So often it is started on another port, when what was free a moment ago was taken before it was there. */
const PORT_TRIES = 5;

/**
 * The shell that keeps anvil: it tells anvil's pid, and kills anvil when our end of its standard input closes, however
 * we ended. So no anvil outlives the process that started it, also after kill -9. Its allocator (jemalloc) gives back at once
 * what it doesn't use: a node holds half as much for it.
 */
const KEEPER = `exec 3<&0
_RJEM_MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0,narenas:1 "$@" </dev/null >/dev/null & anvil=$!
echo $anvil
(cat <&3 >/dev/null; kill -9 $anvil 2>/dev/null) &
exec 3<&- 1>&-
{ wait $anvil; } 2>/dev/null`;

/** The native binary of this platform's npm package; its wrapper and install scripts aren't needed. */
export function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  const require = createRequire(import.meta.url);
  try {
    return require.resolve(`${name}/bin/anvil`);
  } catch {
    throw new Error(`No anvil for this machine: the package ${name} is not installed`);
  }
}

/** What a chain is from its first block on. */
export interface AnvilChain {
  readonly chainId: number;
  /** A block is final when twice as many lie above it. */
  readonly slots: number;
}

/** Starts anvil on a free port of 127.0.0.1, mining only when told and without accounts of its own; waits until it answers. */
export async function startAnvil(chain: AnvilChain): Promise<AnvilProcess> {
  for (let tries = 1; ; tries += 1) {
    const anvil = await tryAnvil(chain, await freePort());
    if (anvil) return anvil;
    if (tries === PORT_TRIES) throw new Error('anvil did not come up');
  }
}

/** Undefined when it ended before it answered: then somebody else has its port. */
async function tryAnvil({ chainId, slots }: AnvilChain, port: number): Promise<AnvilProcess | undefined> {
  const url = `http://127.0.0.1:${port}`;
  const settings = [
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--chain-id',
    `${chainId}`,
    '--no-mining',
    '--accounts',
    '0',
    '--threads',
    '1',
    '--slots-in-an-epoch',
    `${slots}`,
  ];
  // A saved chain is handed in whole, in one call.
  const limits = ['--no-request-size-limit'];
  const keeper = spawn('sh', ['-c', KEEPER, 'anvil', anvilBinary(), ...settings, ...limits], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => keeper.once('close', () => done()));
  const pid = await readPid(keeper);
  const kill = async (): Promise<void> => {
    keeper.stdin?.destroy();
    await ended;
  };
  const upUntil = Date.now() + UP_WITHIN_MS;
  while (keeper.exitCode === null && !(await answers(url))) {
    if (Date.now() > upUntil) {
      await kill();
      throw new Error('anvil did not come up');
    }
    await sleep(20);
  }
  if (keeper.exitCode !== null) return undefined;
  return { url, pid, ended, kill };
}

async function readPid(keeper: ChildProcess): Promise<number> {
  const line = await new Promise<string>((done, failed) => {
    keeper.once('error', failed);
    keeper.stdout?.once('data', (chunk: Buffer) => done(chunk.toString()));
  });
  return Number.parseInt(line, 10);
}

async function answers(url: string): Promise<boolean> {
  try {
    await rpc(url, [{ method: 'eth_chainId', params: [] }]);
    return true;
  } catch {
    return false;
  }
}

/** What the node said against a call. */
export class NodeError extends Error {}

const connections = new Agent({ keepAlive: true });

/** Posts a body to anvil; gives its answer. Throws NodeError for a status. Ten times a second, where `fetch` is dear. */
export async function ask(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const asked = request(url, { agent: connections, method: 'POST', headers }).end(JSON.stringify(body));
  // Where the connection breaks later, the body tells it.
  asked.on('error', () => undefined);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return json(response);
  response.resume();
  throw new NodeError(`status ${response.statusCode}`);
}

/** Asks anvil for several things in one request; the results in order. Throws NodeError for the first that failed. */
export async function rpc(
  url: string,
  calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
): Promise<unknown[]> {
  const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const replies = (await ask(url, body)) as { id: number; result?: unknown; error?: { message: string } }[];
  return body.map(({ id, method }) => {
    const reply = replies.find((candidate) => candidate.id === id);
    if (!reply || reply.error) throw new NodeError(`${method}: ${reply?.error?.message ?? 'no answer'}`);
    return reply.result;
  });
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? done(address.port) : failed(new Error('no port'))));
    });
  });
}

/** Asks anvil for one thing; its answer as it comes. Throws NodeError where it is no result. */
export async function* raw(
  url: string,
  call: { readonly method: string; readonly params: readonly unknown[] },
): AsyncGenerator<Uint8Array> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, ...call }),
  });
  if (!response.ok || !response.body) throw new NodeError(`status ${response.status}`);
  let isFirst = true;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    if (isFirst && !Buffer.from(chunk.subarray(0, 100)).includes('"result"')) throw new NodeError(`${call.method}: no result`);
    isFirst = false;
    yield chunk;
  }
}

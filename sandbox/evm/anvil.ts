import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Running anvil process: its address, and a promise that resolves when it ends. */
export interface AnvilProcess {
  readonly url: string;
  readonly pid: number;
  readonly ended: Promise<void>;
  kill(): Promise<void>;
}

const UP_WITHIN_MS = 10_000;
/** Number of attempts with another port, in case a free port was taken meanwhile. */
const PORT_TRIES = 5;

/**
 * Shell script that supervises anvil. It prints anvil's pid and kills anvil when our end of its standard input closes, so that
 * anvil never outlives this process, even after kill -9. The settings of its allocator (jemalloc) return unused memory
 * immediately, which halves a node's memory.
 */
const KEEPER = `exec 3<&0
_RJEM_MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0,narenas:1 "$@" </dev/null >/dev/null & anvil=$!
echo $anvil
(cat <&3 >/dev/null; kill -9 $anvil 2>/dev/null) &
exec 3<&- 1>&-
{ wait $anvil; } 2>/dev/null`;

/** Returns the native binary in this platform's npm package; its wrapper and install scripts aren't needed. */
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

/** Properties of a chain from its first block on. */
export interface AnvilChain {
  readonly chainId: number;
  /** A block is final once twice this number of blocks follow it. */
  readonly slots: number;
}

/** Starts anvil on a free port of 127.0.0.1, mining on request only and without accounts. Waits until it answers. */
export async function startAnvil(chain: AnvilChain): Promise<AnvilProcess> {
  for (let tries = 1; ; tries += 1) {
    const anvil = await tryAnvil(chain, await freePort());
    if (anvil) return anvil;
    if (tries === PORT_TRIES) throw new Error('anvil did not come up');
  }
}

/** Returns undefined if anvil ended before it answered, since another process has its port. */
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
  // A saved chain is loaded by a single large call.
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

/** Error that the node returned for a call. */
export class NodeError extends Error {}

const connections = new Agent({ keepAlive: true });

/**
 * Posts a body to anvil and returns the answer. Throws NodeError for a status other than 200. Uses node:http, since it is called
 * ten times a second and `fetch` is slower.
 */
export async function ask(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const requested = request(url, { agent: connections, method: 'POST', headers }).end(JSON.stringify(body));
  // If the connection breaks later, reading the body fails.
  requested.on('error', () => undefined);
  const [response] = (await once(requested, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return json(response);
  response.resume();
  throw new NodeError(`status ${response.statusCode}`);
}

/** Makes several calls to anvil in one request and returns their results in order. Throws NodeError for the first that failed. */
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

/** Makes one call to anvil and yields the raw answer. Throws NodeError if it is no result. */
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

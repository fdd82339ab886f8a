// A TCP proxy for tests that can hang, cut and refuse connections, to simulate network faults.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  readonly port: number;
  /** Drops all data in both directions from now on. Connections stay open. */
  hang(): void;
  /** Breaks all connections and refuses new ones. */
  refuse(): void;
  /** Passes data again. Closes connections whose data was dropped. */
  restore(): void;
  close(): Promise<void>;
};

/** Starts a proxy on a free local port towards `port`. */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'hang' | 'refuse' = 'pass';

  const server = createServer((client) => {
    if (mode === 'refuse') return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (mode === 'pass' && to.write(bytes)));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (mode !== 'hang') to.destroy();
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());

  return {
    port: (server.address() as AddressInfo).port,
    hang: () => void (mode = 'hang'),
    refuse() {
      mode = 'refuse';
      cut();
    },
    restore() {
      if (mode !== 'pass') cut();
      mode = 'pass';
    },
    close: () =>
      new Promise((done) => {
        cut();
        server.close(() => done());
      }),
  };
}

// Metrics of a running installation, in Prometheus' text format. They are served on a port that only this machine can reach.

import { type Server, createServer } from 'node:http';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { stateFigures } from '../../alarms/index.ts';
import { type Measured, type Db, log } from '../../platform/index.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Metrics of the library that are left out. Their names end in `_total` although they are no counters, so `promtool check
 * metrics` reports them. The library has the same figures by type, too.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export interface Metrics {
  /** Counts an HTTP answer. */
  answered(answer: Measured): void;
  /** Serves the metrics on a port of 127.0.0.1 until closed. */
  listen(port: number): Promise<Server>;
  /** Returns all metrics as text. */
  text(): Promise<string>;
}

/** Opens the metrics: figures of this process, and figures of the database, which are read again for each request. */
export function openMetrics(db: Db): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const answers = new Histogram({
    name: 'kurs_http_seconds',
    help: 'How long answers over HTTP took, by route. Streams count as they end',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const failed = new Counter({
    name: 'kurs_metrics_failed_total',
    help: 'Reads of the database for metrics that failed',
    registers: [registry],
  });
  const gauges = {
    payouts: gauge(registry, 'kurs_payouts_open', 'Payouts that are not sent yet, or whose outcome is unknown', [
      'rail',
      'status',
    ]),
    rails: gauge(registry, 'kurs_rail_up', '1 if a payment system answers', ['rail']),
    alarms: gauge(registry, 'kurs_alarms', 'Open alarms that people were notified of', ['kind']),
    waiting: gauge(registry, 'kurs_waiting', 'Waiting work: mails to send, events to deliver', ['what']),
    beats: gauge(registry, 'kurs_silent_seconds', 'Seconds since the last heartbeat of a process', ['process', 'machine']),
    late: gauge(registry, 'kurs_looks_late_seconds', 'Seconds by which polls of addresses are late', ['rail', 'places']),
  };
  const collect = async (): Promise<void> => {
    const figures = await stateFigures(db);
    for (const [name, one] of Object.entries(gauges) as [keyof typeof gauges, Gauge][]) {
      one.reset();
      for (const { labels, value } of figures[name]) one.set({ ...labels }, value);
    }
  };
  const text = async (): Promise<string> => {
    await collect().catch((error: unknown) => {
      failed.inc();
      log.warn('metrics could not be read', { error });
    });
    return registry.metrics();
  };
  return {
    text,
    answered: ({ method, route, status, seconds }) => answers.observe({ method, route, status: String(status) }, seconds),
    listen(port) {
      const server = createServer(async (request, response) => {
        if (request.url !== '/metrics') return void response.writeHead(404).end();
        response.writeHead(200, { 'content-type': registry.contentType }).end(await text());
      });
      const { promise, resolve, reject } = Promise.withResolvers<Server>();
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(server));
      return promise;
    },
  };
}

function gauge(registry: Registry, name: string, help: string, labelNames: string[]): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

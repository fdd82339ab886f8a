import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Counterpart } from './counterpart.ts';
import { openGoogle } from './google/index.ts';
import { Mailbox } from './mail/index.ts';
import { type RobotCheckName, openRobotCheck } from './robot-check/index.ts';
import { openScreening } from './screening/index.ts';
import { openSandbox } from './server.ts';
import { openShop } from './shop/index.ts';

/**
 * Entry of the sandbox's process. It reads its environment, opens every counterpart, and reports to its parent (over the channel
 * of `fork`) that it serves, with the product's configuration. It ends when the channel closes or on a signal.
 */
interface Settings {
  readonly folder: string;
  readonly blockMs: number | undefined;
  readonly rails: readonly string[];
  readonly ports: { readonly site: number; readonly control: number; readonly smtp: number };
  readonly product: string | undefined;
  readonly api: string | undefined;
  /** Simulated provider of the robot check; undefined if the product uses its own check or a real provider. */
  readonly robotCheck: RobotCheckName | undefined;
  /** True if the sandbox screens accounts. */
  readonly hasScreening: boolean;
}

const ROBOT_CHECKS: readonly RobotCheckName[] = ['turnstile', 'recaptcha'];

function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const whole = (name: string, fallback: number): number => {
    const text = env[name]?.trim() || String(fallback);
    if (!/^\d{1,6}$/.test(text)) throw new Error(`${name} is a whole number, not ${text}`);
    return Number.parseInt(text, 10);
  };
  const blockMs = whole('SANDBOX_BLOCK_MS', 2000);
  return {
    folder: resolve(env['KURS_DATA'] || '.kurs', 'sandbox'),
    blockMs: blockMs === 0 ? undefined : blockMs,
    rails: (env['SANDBOX_RAILS'] || 'bitcoin,evm,bsc,tron,volet,payeer,webmoney,paypal,moneygo,perfectmoney,nebulox').split(','),
    ports: {
      site: whole('KURS_SANDBOX_PORT', 0),
      control: whole('KURS_SANDBOX_CONTROL_PORT', 0),
      smtp: whole('KURS_SANDBOX_SMTP_PORT', 0),
    },
    product: env['BASE_URL'],
    api: env['KURS_API_URL'] || env['BASE_URL'],
    hasScreening: env['KURS_SCREENING_URL']?.trim() === 'sandbox',
    robotCheck: env['KURS_BOT_SITE_KEY'] ? undefined : ROBOT_CHECKS.find((name) => name === env['KURS_BOT_CHECK']?.trim()),
  };
}

/** Counterparts by rail. Each is loaded on demand: a chain takes a few dozen megabytes. */
const OPEN: Readonly<Record<string, (options: { folder: string; blockMs?: number }) => Promise<Counterpart>>> = {
  bitcoin: async (options) => (await import('./bitcoin/index.ts')).openBitcoin(options),
  evm: async (options) => (await import('./evm/index.ts')).openEvm(options),
  bsc: async (options) => {
    const { BSC, openEvm } = await import('./evm/index.ts');
    return openEvm({ ...options, network: BSC });
  },
  tron: async (options) => (await import('./tron/index.ts')).openTron(options),
  volet: async (options) => (await import('./volet/index.ts')).openVolet(options),
  payeer: async (options) => (await import('./payeer/index.ts')).openPayeer(options),
  webmoney: async (options) => (await import('./webmoney/index.ts')).openWebMoney(options),
  paypal: async (options) => (await import('./paypal/index.ts')).openPaypal(options),
  moneygo: async (options) => (await import('./moneygo/index.ts')).openMoneyGo(options),
  perfectmoney: async (options) => (await import('./perfectmoney/index.ts')).openPerfectMoney(options),
  nebulox: async (options) => (await import('./nebulox/index.ts')).openNebulox(options),
};

async function main(): Promise<void> {
  const { folder, blockMs, rails, ports, product, api, robotCheck, hasScreening } = readSettings(process.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const counterparts = await Promise.all(
    rails.map((rail) => {
      const open = OPEN[rail];
      if (!open) throw new Error(`SANDBOX_RAILS names ${rail}, which there is not`);
      return open({ folder, ...(blockMs !== undefined && { blockMs }) });
    }),
  );
  const sandbox = await openSandbox({
    counterparts,
    google: openGoogle({ folder }),
    ...(robotCheck && { robotCheck: openRobotCheck(robotCheck) }),
    ...(hasScreening && { screening: openScreening({ folder }) }),
    shop: openShop({ folder, api }),
    mailbox: new Mailbox(join(folder, 'mail.jsonl')),
    ports,
    ...(product !== undefined && { product }),
    ...(api !== undefined && { api }),
  });
  endWithParent(() => sandbox.close());
  const { site, control, smtp, environment } = sandbox;
  const reported = { ready: true, environment, site, control, smtp };
  if (process.send) process.send(reported);
  else process.stdout.write(`${JSON.stringify(reported)}\n`);
}

function endWithParent(close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), 5000).unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const event of ['disconnect', 'SIGTERM', 'SIGINT']) process.on(event, end);
  if (process.send && !process.connected) end();
}

await main();

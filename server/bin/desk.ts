// The desk's tool: `npm run desk -- <command>`. It uses only the operator's calls of the API.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallError, type Client, createClient, httpTransport } from '@kurs/contract/client';
import { type Config, loadConfig, readRunNote } from '../platform/index.ts';
import { deskKeys } from '../platform/secrets/desk-keys.ts';
import { requirePrivate } from '../platform/secrets/secrets.ts';
import {
  UsageError,
  runCommand,
  COMMANDS,
  DOUBTS,
  typed,
  ORDER_ACTIONS,
  help,
  surplusOf,
  makeKey,
  print,
  printAll,
  printAnswer,
  printTable,
  depositRow,
  orderRow,
  quoteRow,
  claimRow,
  withdrawalRow,
  bannerOf,
  type OwnKey,
  bearerOf,
  hintOf,
} from '../terminal/index.ts';

const ACTIONS = new Set(ORDER_ACTIONS);
const COMPLIANCE_ACTIONS = new Set([
  'business',
  'businesses',
  'ask_papers',
  'papers_came',
  'release',
  'decide_refund',
  'freeze',
  'held',
  'unfreeze',
  'surrender',
  'clear-deposit',
  'give-back',
  'level',
  'block',
  'unblock',
]);

const { values: flags, positionals } = typed();
let loaded: Config | undefined;
/** Loads the configuration on demand, so that help works with any settings. */
const config = (): Config => (loaded ??= loadConfig());
const [command, ...args] = positionals;
/** True for `stop orders`, which stops all orders; false for `stop KX-…`, which stops one. */
const isBrake = command === 'stop' && /^[a-z]+$/.test(args[0] ?? '');

/** Text for an empty result, by command. */
const NOTHING: Readonly<Record<string, string>> = {
  waiting: 'No order waits for a person.',
  orders: 'No order matches.',
  requests: 'Nothing waits for a second person.',
  claims: 'No claim of a refund waits for the desk.',
  withdrawals: 'No withdrawal waits for a person.',
  deposits: 'No deposit waits for a person.',
  arrivals: 'No coin at our addresses is credited to nobody.',
  payins: 'No payment has this transaction, id or order.',
  debts: 'Nothing is owed.',
  doubts: 'No send is in doubt.',
  'found-late': 'No send was found late.',
  tickets: 'There are no tickets.',
  chats: 'No chat waits for an answer.',
  blocks: 'Nobody is blocked.',
  audit: 'No action matches.',
  deliveries: 'No delivery matches.',
  keys: 'There are no keys on this machine.',
};

async function main(): Promise<void> {
  if (flags.help || command === undefined || command === 'help') {
    const [wanted] = command === 'help' ? args : [command];
    return print(help(wanted) ?? noCommand(wanted));
  }
  const surplus = surplusOf(command, args);
  // Without this, only the first part of an amount with a gap in it would be booked.
  if (surplus !== undefined) throw usage(`“${surplus}” has no place here; put text with spaces in quotes.`);
  if (command === 'keys') return table(await deskKeys(config().KURS_DATA));
  if (command === 'new-key') return print(`its fingerprint: ${await makeKey(need(args[0], 'a file'))}`);
  if (!isCommand(command)) noCommand(command);
  const own = await ownKey(COMPLIANCE_ACTIONS.has(command) ? 'compliance' : 'operator');
  const client = await connect(await bearerOf(own, command));
  await call(command, own.session, client, { idempotencyKey: randomUUID() });
}

type Key = { readonly idempotencyKey: string };

/** Runs a command that calls the API, with an idempotency key of its own. */
async function call(name: string, session: string | undefined, client: Client, key: Key): Promise<void> {
  const papersOf = isPapers(name) && isDeposit(args[0]) ? { id: args[0] as string, action: name, reason: reason() } : undefined;
  if (papersOf) return show(await client.operatorDeposit(papersOf, key));
  if (ACTIONS.has(name) && !isBrake) return show(await client.operatorOrderAction(await actionInput(name), key));
  const tool = { client, key, isJson: flags.json ?? false, table, show, need };
  const command = commandIn(COMMANDS, name);
  if (command && (name !== 'close' || args.length > 0)) return command({ ...tool, flags, session, print }, args);
  const ofDoubts = commandIn(DOUBTS, name);
  if (ofDoubts) return ofDoubts({ ...tool, evidence: flags.evidence, reason }, args);
  const own = commandIn(OWN_COMMANDS, name);
  return own ? own(client, key) : noCommand(name);
}

/** Returns a table's own entry, so that no name such as `constructor` finds an inherited one. */
const commandIn = <C>(commands: Readonly<Record<string, C>>, name: string): C | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;

/** A command of this file; it reads its arguments and flags from the command line. */
type Command = (client: Client, key: Key) => Promise<void>;

const LISTS: Readonly<Record<string, Command>> = {
  waiting: async (client) => rows((await client.operatorOrders({ waiting: '1' })).data, orderRow),
  async orders(client) {
    const state = flags.state as Parameters<Client['operatorOrders']>[0]['state'];
    const filter = { ...pageOf(), ...(state ? { state } : {}), ...(flags.q ? { q: flags.q } : {}) };
    further(await client.operatorOrders(filter), (found) => rows(found, orderRow));
  },
  order: async (client) => showOrder(await client.operatorOrder({ id: need(args[0], 'the order’s number') })),
  requests: async (client) => table(await client.operatorRequests({})),
  claims: async (client) => rows(await client.operatorClaims({}), claimRow),
  withdrawals: async (client) => rows(await client.operatorWithdrawals({}), withdrawalRow),
  deposits: async (client) => rows(await client.operatorDeposits({}), depositRow),
  async audit(client) {
    const filter = { ...pageOf(), ...(flags.by ? { by: flags.by } : {}), ...(flags.subject ? { subject: flags.subject } : {}) };
    further(await client.operatorAudit(filter), (found) => table(found));
  },
};

const pageOf = () => ({
  ...(flags.page !== undefined && { page: flags.page }),
  ...(flags.after !== undefined && { after: flags.after }),
});

const decideWithdrawal =
  (action: 'approve' | 'reject'): Command =>
  async (client, key) =>
    show(await client.operatorWithdrawal({ id: need(args[0], 'the withdrawal'), action, reason: reason() }, key));

const decideClaim =
  (action: 'approve' | 'reject'): Command =>
  async (client, key) =>
    show(await client.operatorClaim({ id: need(args[0], 'the claim'), action, reason: reason() }, key));

const decideDeposit =
  (action: 'release' | 'give_back'): Command =>
  async (client, key) => {
    const account = flags.account ? { account: { address: flags.account } } : {};
    show(await client.operatorDeposit({ id: need(args[0], 'the deposit'), action, ...account, reason: reason() }, key));
  };

const WALLETS: Readonly<Record<string, Command>> = {
  'let-out': decideWithdrawal('approve'),
  'turn-down': decideWithdrawal('reject'),
  'let-out-claim': decideClaim('approve'),
  'turn-down-claim': decideClaim('reject'),
  'clear-deposit': decideDeposit('release'),
  'give-back': decideDeposit('give_back'),
};

const PRICES: Readonly<Record<string, Command>> = {
  async direction(client) {
    const [from, to, open] = [need(args[0], 'FROM'), need(args[1], 'TO'), onOff(args[2])];
    show(await client.operatorDirection({ from, to, open, reason: reason() }));
  },
  price: async (client) => showPrices(await client.operatorPrices(priceInput('price', args))),
  cost: async (client) => showPrices(await client.operatorPrices(priceInput('cost', args))),
  async peg(client) {
    const [asset, usd] = [need(args[0], 'the asset'), need(args[1], 'its worth in USD')];
    show(await client.operatorPeg({ asset, usd, until: need(flags.until, '--until'), reason: reason() }));
  },
  async 'feed-code'(client) {
    const code = need(args[1], 'the code, or none');
    const currency = need(args[0], 'the currency');
    show(await client.operatorFeedCode({ currency, code: code === 'none' ? null : code, reason: reason() }));
  },
};

const SWITCHES: Readonly<Record<string, Command>> = {
  async payouts(client, key) {
    const rail = flags.rail ? { rail: flags.rail } : {};
    show(await client.operatorPayouts({ on: onOff(args[0]), reason: reason(), ...rail }, key));
  },
  async rail(client, key) {
    const rail = need(args[0], 'the payment system');
    const purpose = flags.for === undefined ? {} : { for: flags.for };
    show(await client.operatorRail({ rail, on: onOff(args[1]), reason: reason(), ...purpose }, key));
  },
};

const MONEY: Readonly<Record<string, Command>> = {
  async fund(client, key) {
    const input = {
      currency: need(args[0], 'the currency'),
      ...{ amount: args[1], txid: flags.txid, reference: flags.reference },
      ...(flags.place === undefined ? {} : { place: flags.place as 'hot' }),
      rebalance: flags.rebalance ?? false,
      reason: reason(),
    };
    show(await client.operatorFund(input, key));
  },
  async withdraw(client, key) {
    const input = {
      currency: need(args[0], 'the currency'),
      amount: need(args[1], 'the amount'),
      to: { address: need(flags.to, '--to') },
      rebalance: flags.rebalance ?? false,
      reason: reason(),
    };
    show(await client.operatorWithdraw(input, key));
  },
  close: async (client, key) => show(await client.operatorClose({ reason: reason() }, key)),
  difference: async (client, key) => show(await correct(client, 'difference', args, key)),
  clear: async (client, key) => show(await correct(client, 'clear', args, key)),
  stuck: async (client, key) => show(await correct(client, 'stuck', args, key)),
  fuel: async (client, key) => show(await correct(client, 'fuel', args, key)),
};

const OWN_COMMANDS: Readonly<Record<string, Command>> = { ...LISTS, ...WALLETS, ...PRICES, ...SWITCHES, ...MONEY };

const isCommand = (name: string): boolean => ACTIONS.has(name) || help(name) !== undefined;

function noCommand(name = ''): never {
  throw new UsageError(`There is no command ${name}. All commands: npm run desk -- help`);
}

type PriceInput = Parameters<Client['operatorPrices']>[0];

/** Returns a change of a direction or of a rail's costs; without --apply it is a preview. */
function priceInput(command: 'price' | 'cost', args: string[]): PriceInput {
  const said = { apply: flags.apply ?? false, ...(flags.apply ? { reason: reason() } : {}) };
  const bound = (text: string | undefined) => (text === 'none' ? null : text);
  if (command === 'price') {
    const [slug, min, max] = [need(args[0], 'the slug'), bound(flags.min), bound(flags.max)];
    const direction = {
      slug,
      ...(flags.spread === undefined ? {} : { spread: spreadOf(flags.spread) }),
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(flags.open === undefined ? {} : { open: onOff(flags.open) }),
    };
    return { direction, ...said };
  }
  const cost = {
    currency: need(args[0], 'the currency'),
    side: need(args[1], 'payin or payout') as 'payin',
    ...(flags.percent === undefined ? {} : { percent: flags.percent }),
    ...(flags.fixed === undefined ? {} : { fixed: flags.fixed }),
    ...(flags.min === undefined ? {} : { min: flags.min }),
    ...(flags.cap === undefined ? {} : { cap: flags.cap }),
  };
  return { cost, ...said };
}

/** Parses a spread such as `0=0.5,1000=0.4`: 0.5 % up to 1000, 0.4 % from 1000 on. */
function spreadOf(text: string): { from: string; percent: string }[] {
  return text.split(',').map((step) => {
    const [from = '', percent = ''] = step.split('=');
    return { from: from.trim(), percent: need(percent.trim(), '--spread like 0=0.5,1000=0.4') };
  });
}

/** Reasons for which a change of prices takes two people. */
const TWO_SINCE = {
  more: 'Some customers would get much more than now: two people decide.',
  less: 'Some customers would get much less than now or a day ago: two people decide.',
} as const;

/** Prints the quotes of every direction that a change affects, old and new. */
function showPrices(found: Awaited<ReturnType<Client['operatorPrices']>>): void {
  if (flags.json) return show(found);
  for (const one of found.directions) {
    const range = (bounds: typeof one.before) => (bounds ? `${bounds.min}–${bounds.max} ${bounds.closed ?? ''}`.trim() : 'none');
    print(`${one.slug}  ${one.from} → ${one.to}  ${range(one.before)}  →  ${range(one.after)} ${one.from}`);
    table(one.quotes.map(quoteRow(one)));
    print(`unchanged: ${one.held_quotes} held quotes, ${one.open_orders} open orders\n`);
  }
  if (found.cycle) print(`A customer would gain by ${found.cycle.join(' → ')}: this can't go live.`);
  const next =
    found.status === 'preview' ? `nothing is changed; it takes ${found.people === 2 ? 'two people' : 'one person'}` : '';
  if (found.two_since) print(TWO_SINCE[found.two_since]);
  print(`${found.status}${next && `: ${next}`}`);
}

/** Sends a correction of the desk's money. The API validates the words. */
function correct(
  client: Client,
  command: 'difference' | 'clear' | 'stuck' | 'fuel',
  args: string[],
  key: { idempotencyKey: string },
) {
  const currency = need(args[0], 'the currency');
  if (command === 'stuck' || command === 'fuel') {
    const input = { currency, amount: need(args[1], 'the amount'), back: flags.back ?? false, reason: reason() };
    return command === 'fuel' ? client.operatorFuel(input, key) : client.operatorStuck(input, key);
  }
  if (command === 'clear') {
    const to = need(args[2], 'free, order, loss, network or rail') as Parameters<Client['operatorClear']>[0]['to'];
    const owner = { ...(flags.order ? { order: flags.order } : {}), ...(flags.txid ? { txid: flags.txid } : {}) };
    return client.operatorClear({ currency, amount: need(args[1], 'the amount'), to, ...owner, reason: reason() }, key);
  }
  const place = need(args[1], 'the place') as Parameters<Client['operatorDifference']>[0]['place'];
  const side = need(args[2], 'more or less') as Parameters<Client['operatorDifference']>[0]['side'];
  return client.operatorDifference({ currency, place, side, amount: need(args[3], 'the amount'), reason: reason() }, key);
}

const isPapers = (action: string): action is 'ask_papers' | 'papers_came' => action === 'ask_papers' || action === 'papers_came';
/** True for a deposit, which has a UUID; orders have a number. */
const isDeposit = (id: string | undefined): boolean => /^[0-9a-f]{8}-/i.test(id ?? '');

async function actionInput(action: string): Promise<Parameters<Client['operatorOrderAction']>[0]> {
  return {
    id: need(args[0], 'the order’s number'),
    action: action as Parameters<Client['operatorOrderAction']>[0]['action'],
    reason: reason(),
    ...(flags.evidence ? { evidence: await readFile(flags.evidence, 'utf8') } : {}),
    ...(flags.account ? { account: { address: flags.account } } : {}),
  };
}

/** Returns a client that sends the bearer and explains refusals. */
async function connect(bearer: string): Promise<Client> {
  const base = flags.url ?? (await servedAt());
  if (!/^https?:\/\//.test(base)) throw new UsageError(`${base} is no address: --url http://127.0.0.1:3001`);
  const send = httpTransport({
    base,
    clientId: 'public',
    locale: () => 'en',
    token: () => bearer,
    onHeaders: bannerOf(flags.json ?? false),
  });
  return createClient((call) =>
    send(call).catch(async (error: unknown) => {
      const hint = error instanceof CallError ? await hintOf(bearer, error, () => askToSignIn(createClient(send))) : undefined;
      if (hint !== undefined) throw new UsageError(hint);
      if (!(error instanceof CallError) || error.code !== 'network') throw error;
      const how = error.status === 0 ? 'Nobody answers' : `Another program answers (HTTP ${error.status})`;
      throw new UsageError(`${how} at ${base}. Is it running? --url sets another address.`);
    }),
  );
}

/**
 * Tries to sign in without a code, which real money always refuses with a helpful problem. Does nothing in a sandbox, where a key
 * is enough.
 */
async function askToSignIn(client: Client): Promise<void> {
  if ((await client.health({})).mode === 'live') await client.deskSignIn({});
}

/**
 * Returns the key to act with: of the person in --as on this machine, else the one in KURS_DESK_KEY_FILE, else the first on this
 * machine with the role.
 */
async function ownKey(role: 'operator' | 'compliance'): Promise<OwnKey> {
  if (flags.key !== undefined) {
    if (!flags.json)
      process.stderr.write(
        'Everybody on this machine can see a key in the arguments: put it in a file of its own (mode 0600) and set KURS_DESK_KEY_FILE to its path.\n',
      );
    return { key: flags.key };
  }
  const file = config().KURS_DESK_KEY_FILE;
  if (file !== '' && flags.as === undefined) {
    requirePrivate(file);
    return { key: (await readFile(file, 'utf8')).trim(), session: `${file}.session` };
  }
  const known = await deskKeys(config().KURS_DATA);
  const named = known.find((one) => (flags.as === undefined ? one.role === role : one.name === flags.as));
  if (named) return { key: named.key, session: join(config().KURS_DATA, 'keys', `desk-${named.name}.session`) };
  const whose = flags.as ?? (role === 'operator' ? 'an operator' : 'compliance');
  const hire = `npm run hire -- NAME ${role} --to FILE`;
  throw new UsageError(
    `This machine has no key of ${whose}: set KURS_DESK_KEY_FILE to the file with yours.\nWithout one: ${hire} on the machine itself.`,
  );
}

/** Returns the address of the copy that runs on this data folder, so that no proxy is needed yet; else the configured address. */
async function servedAt(): Promise<string> {
  const { KURS_DATA: folder, CONSOLE_HOST: host, CONSOLE_URL: address } = config();
  const port = readRunNote(folder)?.ports['console'];
  if (port === undefined) return address;
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
}

function need(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw usage(`Give ${what}.`);
  return value;
}

/** Returns an error with the command's usage. */
const usage = (words: string): UsageError => new UsageError(`${words}\n${help(command) ?? ''}`.trimEnd());

const reason = (): string => need(flags.reason, '--reason');

function onOff(word: string | undefined): boolean {
  if (word !== 'on' && word !== 'off') throw usage('Say on or off.');
  return word === 'on';
}

function showOrder(found: Awaited<ReturnType<Client['operatorOrder']>>): void {
  if (flags.json) return show(found);
  const { order } = found;
  print(
    `${order.id}  ${found.state} (${order.status})  ${order.give.amount} ${order.give.currency} → ${order.get?.amount ?? ''} ${order.get?.currency ?? ''}  ${order.email}`,
  );
  print(`possible actions: ${found.actions.join(' ') || 'nothing'}\n`);
  table(found.events, 'There are no events yet.');
  table(
    found.postings.map(({ amount, unit, ...row }) => ({ ...row, amount: `${amount} ${unit}` })),
    'Nothing is booked.',
  );
  table(
    found.sends.map(({ amount, currency, ...row }) => ({ ...row, amount: `${amount} ${currency}` })),
    'Nothing was sent.',
  );
  if (found.requests.length > 0) table(found.requests);
}

function show(answer: unknown): void {
  if (flags.json) return printAll(answer);
  printAnswer(answer);
  const { status, request } = (answer ?? {}) as { status?: unknown; request?: unknown };
  if (status === 'awaiting_second')
    print(
      `another person of the desk, by their own key: npm run desk -- consent ${String(request)}\nwith several keys on this machine (npm run desk -- keys), name the person: --as NAME`,
    );
}
/** Prints rows as received, or each in words. */
const rows = <T extends object>(found: readonly T[], rowOf: (one: T) => object): void =>
  table(flags.json ? found : found.map(rowOf));
/** Prints a page of a list, and how to request the next one. */
function further<T>(
  { data, meta }: { data: T[]; meta: { readonly next?: string | undefined } },
  report: (found: T[]) => void,
): void {
  report(data);
  if (meta.next !== undefined && !flags.json) print(`next page: --after ${meta.next}`);
}
const table = (found: readonly object[], none = NOTHING[command ?? '']): void =>
  flags.json ? printAll(found) : printTable(found, none);

await runCommand(main);

// The desk tool's commands for the desk's people, second persons, and decisions about customers.

import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { UsageError } from '../command.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const PEOPLE_HELP: readonly Usage[] = [
  ['people', 'the desk’s people: role, fingerprint of the key, since when, last action'],
  ['roles', 'each role’s permissions, since when, and by whom'],
  [
    'role operator|compliance PERMISSION=on|off… --reason "…"',
    'change a role’s permissions: two people who have those permissions',
  ],
  ['new-key FILE', 'make your own key; others hire you, or change your key, by its fingerprint'],
  ['hire NAME operator|compliance --fingerprint F --reason "…"', 'add a person to the desk: two people of that role'],
  ['rotate NAME --fingerprint F --reason "…"', 'replace a person’s key: two people of that person’s role'],
  ['revoke NAME --reason "…"', 'revoke a person’s key, at once'],
];

export const CUSTOMERS_HELP: readonly Usage[] = [
  [
    'level EMAIL 0|1|2|3 --evidence FILE --reason "…"',
    'set a customer’s verification level: a higher one takes two people and a file, a lower one takes one person',
  ],
  ['blocks', 'blocked customers: no payments are accepted from them, and nothing is sent to them'],
  ['known-by KX-…', 'keys of an order’s customer, and the orders that share them; each key can be blocked'],
  [
    'block EMAIL|KX-…|KEY --evidence FILE --reason "…" [--until MOMENT]',
    'block a customer, at once; KEY as in `known-by`, address:PAYMENT-SYSTEM:ADDRESS or net:IP. A device or network needs --until',
  ],
  ['unblock WHO --evidence FILE --reason "…"', 'lift a block; WHO as in `blocks`: two people'],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Makes a key in a new file. Returns its fingerprint. */
export async function makeKey(file: string): Promise<string> {
  const key = `kurs_op_${randomBytes(32).toString('base64url')}`;
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return createHash('sha256').update(key).digest('hex');
}

const reasonOf = ({ flags, need }: SupportTool): string => need(flags.reason, '--reason');
const evidenceOf = ({ flags, need }: SupportTool): Promise<string> => readFile(need(flags.evidence, '--evidence'), 'utf8');

/** Commands by their names. */
export const PEOPLE: Readonly<Record<string, Command>> = {
  async consent({ client, flags, key, need, show }, [id]) {
    const reason = flags.reason === undefined ? {} : { reason: flags.reason };
    show(await client.operatorConsent({ id: need(id, 'the request’s id'), ...reason }, key));
  },
  people: async ({ client, table }) => table(await client.operatorPeople({})),
  async roles({ client, isJson, table }) {
    const found = await client.operatorRoles({});
    table(isJson ? found : found.map(({ permissions, ...row }) => ({ ...row, permissions: permissions.join(' ') })));
  },
  async role(tool, [name, ...changes]) {
    const { client, key, need, show } = tool;
    const role = need(name, 'operator or compliance') as 'operator';
    need(changes[0], 'what changes, like rails.switch=off');
    const permissions = new Set((await client.operatorRoles({})).find((one) => one.role === role)?.permissions);
    for (const change of changes) {
      const [, permission = '', to] = /^([a-z.]+)=(on|off)$/.exec(change) ?? [];
      if (to === undefined) throw new UsageError(`${change}: write PERMISSION=on or PERMISSION=off.`);
      if (to === 'on') permissions.add(permission);
      else permissions.delete(permission);
    }
    show(await client.operatorRole({ role, permissions: [...permissions] as never, reason: reasonOf(tool) }, key));
  },
  async hire(tool, [name, role]) {
    const { client, flags, key, need, show } = tool;
    const person = { name: need(name, 'a name'), role: need(role, 'operator or compliance') as 'operator' };
    show(
      await client.operatorHire(
        { ...person, fingerprint: need(flags.fingerprint, '--fingerprint'), reason: reasonOf(tool) },
        key,
      ),
    );
  },
  async rotate(tool, [name]) {
    const { client, flags, key, need, show } = tool;
    const fingerprint = need(flags.fingerprint, '--fingerprint');
    show(await client.operatorRotate({ name: need(name, 'a name'), fingerprint, reason: reasonOf(tool) }, key));
  },
  async revoke(tool, [name]) {
    tool.show(await tool.client.operatorRevoke({ name: tool.need(name, 'a name'), reason: reasonOf(tool) }, tool.key));
  },
  async level(tool, [email, level]) {
    const evidence = tool.flags.evidence === undefined ? {} : { evidence: await evidenceOf(tool) };
    const [who, to] = [tool.need(email, 'an e-mail'), tool.need(level, 'a level')];
    if (!/^[0-3]$/.test(to)) throw new UsageError('A level is 0, 1, 2 or 3.');
    const input = { email: who, level: Number.parseInt(to, 10), ...evidence, reason: reasonOf(tool) };
    tool.show(await tool.client.operatorLevel(input, tool.key));
  },
  async blocks({ client, isJson, table }) {
    const found = await client.operatorBlocks({});
    table(isJson ? found : found.map(({ keys, ...row }) => ({ ...row, keys: keys.join(' ') })));
  },
  async 'known-by'({ client, isJson, need, table }, [order]) {
    const found = await client.operatorKnownBy({ order: need(order, 'the order’s number') });
    table(
      isJson ? found : found.map(({ key, shown, orders }) => ({ key, shown: shown ? 'proven' : '', orders: orders.join(' ') })),
    );
  },
  async block(tool, [who]) {
    const until = tool.flags.until === undefined ? {} : { until: tool.flags.until };
    const input = { who: tool.need(who, 'whom'), ...until, evidence: await evidenceOf(tool), reason: reasonOf(tool) };
    tool.show(await tool.client.operatorBlock(input, tool.key));
  },
  async unblock(tool, [who]) {
    const input = { who: tool.need(who, 'whom'), evidence: await evidenceOf(tool), reason: reasonOf(tool) };
    tool.show(await tool.client.operatorUnblock(input, tool.key));
  },
};

import { createHash } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import type { FastifyInstance } from 'fastify';
import { type Faults } from '../faults.ts';
import { type Bank, Denied, type Movement, written } from './bank.ts';

/** SOAP service: reads the operation and arguments of a call, and returns an answer or a typed fault. */
type Argument = string | Readonly<Record<string, string>>;
type Value = string | Readonly<Record<string, string | undefined>>;

const reader = new XMLParser({ removeNSPrefix: true, ignoreDeclaration: true, parseTagValue: false });
const HOUR_MS = 3_600_000;

/** Deviations of the service that tests set: a shifted clock, a refused caller, a lost answer. */
export interface Mood {
  hours: number;
  hasStrangers: boolean;
  /** Operation whose next answer is lost. */
  loses: string;
}

/** Mounts the operations that the desk uses. Every call needs a `User-Agent` and the token of the present hour in UTC. */
export function mountService(scope: FastifyInstance, bank: Bank, faults: Faults, mood: Mood): void {
  scope.addContentTypeParser(['text/xml', 'application/soap+xml'], { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  scope.post('/wsm/merchantWebService', async (request, reply) => {
    reply.type('text/xml; charset=utf-8');
    try {
      if (!request.headers['user-agent']) throw new Denied('AccessDeniedException');
      const { operation, args } = readCall(request.body as string);
      const work = OPERATIONS[operation];
      if (!work) throw new Denied('WrongParamsException');
      letIn(bank, args[0], mood);
      const values = work(bank, args[1] ?? '');
      if (mood.loses === operation) {
        mood.loses = '';
        request.raw.socket.destroy();
      }
      const rows = operation === 'history' && faults.strikes(faults.rates.duplicates) ? [...values, ...values] : values;
      return envelope(
        `<ns2:${operation}Response xmlns:ns2="http://wsm.advcash/">${rows.map(element).join('')}</ns2:${operation}Response>`,
      );
    } catch (error) {
      if (!(error instanceof Denied)) throw error;
      const detail = `<ns1:${error.type} xmlns:ns1="http://wsm.advcash/"/>`;
      reply.code(500);
      return envelope(
        `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${error.type}</faultstring><detail>${detail}</detail></soap:Fault>`,
      );
    }
  });
}

const OPERATIONS: Readonly<Record<string, (bank: Bank, argument: Argument) => Value[]>> = {
  getBalances: (bank) =>
    bank.walletsOf(bank.desk.email).map(({ id, currency, parts }) => ({ amount: written(currency, BigInt(parts)), id })),
  findPaymentByOrderId: (bank, argument) => {
    const { orderId = '', sciName } = fieldsOf(argument);
    const paid = sciName === bank.desk.sciName ? bank.paymentOf(orderId) : undefined;
    return paid ? [orderRow(bank, paid)] : [];
  },
  findTransaction: (bank, argument) => {
    const found = bank.movement(typeof argument === 'string' ? argument : '');
    if (!found) throw new Denied('TransactionIsNotAvailableException');
    return [row(bank, found)];
  },
  history: (bank, argument) => {
    const { count = '10', from = '0', sortOrder = 'DESC', startTimeFrom = '' } = fieldsOf(argument);
    const mine = bank.movements().filter(({ from: source, to }) => isDesk(bank, source) || isDesk(bank, to));
    const rows = mine.filter(({ startedAt }) => startTimeFrom === '' || startedAt >= startTimeFrom);
    const sorted = sortOrder === 'ASC' ? rows : rows.toReversed();
    const first = Number.parseInt(from, 10);
    return sorted.slice(first, first + Number.parseInt(count, 10)).map((each) => row(bank, each));
  },
  sendMoney: (bank, argument) => [sendMoney(bank, fieldsOf(argument))],
};

function sendMoney(
  bank: Bank,
  { amount = '', currency = '', walletId, email, note = '' }: Readonly<Record<string, string>>,
): string {
  const from = bank.desk.wallets[currency];
  if (from === undefined || !/^\d+\.\d{2}$/.test(amount)) throw new Denied('BadParametersException');
  if (email !== undefined && !bank.isKnown(email)) throw new Denied('UserDoesNotExistException');
  const to = walletId ?? (bank.walletOf(email ?? '', currency) ?? bank.newWallet(currency, 0n, email)).id;
  return bank.transfer({ from, to, amount, comment: note }).id;
}

const isDesk = (bank: Bank, wallet: string): boolean => Object.values(bank.desk.wallets).includes(wallet);

function row(bank: Bank, { id, amount, comment, currency, fee, from, to, ...rest }: Movement): Value {
  return {
    ...{ id, activityLevel: '0', amount, comment, currency },
    direction: isDesk(bank, to) ? 'INCOMING' : 'OUTGOING',
    ...{ fullCommission: fee, orderId: rest.orderId, receiverEmail: rest.receiverEmail },
    ...{ sci: String(rest.orderId !== undefined), senderEmail: rest.senderEmail, startTime: rest.startedAt },
    ...{ status: rest.status, transactionName: 'INNER_SYSTEM', walletDestId: to, walletSrcId: from },
  };
}

function orderRow(bank: Bank, { id, amount, comment, currency, from, senderEmail, status, ...rest }: Movement): Value {
  return {
    ...{ orderId: rest.orderId, sciName: bank.desk.sciName, buyerEmail: senderEmail, paymentCreated: rest.startedAt },
    ...{ paymentMethod: 'ADVANCED_CASH', srcWalletId: from, transactionAmount: amount },
    ...{ transactionCompleted: rest.completedAt, transactionCreated: rest.startedAt, transactionCurrency: currency },
    ...{ transactionId: id, transactionNote: comment, transactionStatus: status },
  };
}

/** Checks the account, the API's name, and the token `hex(sha256(password:YYYYMMDD:HH))` of the present hour in UTC. */
function letIn({ desk }: Bank, argument: Argument | undefined, { hours, hasStrangers }: Mood): void {
  if (hasStrangers) throw new Denied('WrongIpException');
  const { accountEmail, apiName, authenticationToken = '' } = fieldsOf(argument ?? '');
  const [date = '', hour = ''] = new Date(Date.now() + hours * HOUR_MS).toISOString().split(/[T:]/);
  const text = `${desk.apiPassword}:${date.replaceAll('-', '')}:${hour}`;
  const token = createHash('sha256').update(text).digest('hex');
  const fits = authenticationToken.toLowerCase() === token && apiName === desk.apiName && accountEmail === desk.email;
  if (!fits) throw new Denied('NotAuthException');
}

function readCall(body: string): { operation: string; args: Argument[] } {
  const { Envelope } = reader.parse(body) as { Envelope?: { Body?: Record<string, Record<string, Argument>> } };
  const [entry] = Object.entries(Envelope?.Body ?? {});
  if (!entry) throw new Denied('WrongParamsException');
  const [operation, args] = entry;
  return { operation, args: typeof args === 'object' ? Object.values(args) : [] };
}

const fieldsOf = (argument: Argument): Readonly<Record<string, string>> => (typeof argument === 'string' ? {} : argument);

const envelope = (body: string): string =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`;

function element(value: Value): string {
  if (typeof value === 'string') return `<return>${escaped(value)}</return>`;
  const inner = Object.entries(value).map(([name, text]) => (text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`));
  return `<return>${inner.join('')}</return>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

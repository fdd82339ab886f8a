import { createHash } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Faults } from '../faults.ts';
import { type Bank, Denied, type DeskPurse, type Transfer, short } from './bank.ts';
import { moscow } from './merchant.ts';

/** Interfaces for programs: X18 in XML, and those in JSON with a token of the purse. */

const reader = new XMLParser({ ignoreDeclaration: true, parseTagValue: false });
const DAY_MS = 86_400_000;

/** Deviations of the interfaces that tests set. */
export interface Mood {
  /** True if a list of operations ends with an error. */
  isBroken: boolean;
  /** Interface whose next answer is lost. */
  loses: string;
  /** True if operations are not shown yet. */
  isLagging: boolean;
}

/** Mounts X18 and the JSON interfaces that the desk uses. */
export function mountInterfaces(scope: FastifyInstance, bank: Bank, faults: Faults, mood: Mood): void {
  scope.addContentTypeParser(['application/xml', 'text/xml'], { parseAs: 'string' }, (_request, body, done) => done(null, body));
  scope.post('/conf/xml/XMLTransGet.asp', async ({ body }, reply) => {
    reply.type('text/xml; charset=windows-1251');
    return merchantResponse(bank, String(body));
  });
  const json = (name: string, work: (desk: DeskPurse, body: Body) => Record<string, unknown>): void => {
    scope.post(`/json/V1/${name}.ashx`, async (request, reply) => {
      const body = request.body as Body;
      const desk = deskOf(bank, request);
      if (!desk) return reply.code(401).send({ retval: 401, retdesc: 'Authorization error: no such token' });
      try {
        const answer = work(desk, body);
        if (mood.loses === name) {
          mood.loses = '';
          request.raw.socket.destroy();
        }
        return { reqn: body.reqn, ...answer };
      } catch (error) {
        if (error instanceof Denied) return { reqn: body.reqn, retval: error.code, retdesc: error.message };
        throw error;
      }
    });
  };
  json('GetPurses', () => ({ purses: bank.pursesOf(bank.desk.wmid).map(purseRow), retval: 0, retdesc: 'OK' }));
  json('GetOperations', ({ purse }, body) => {
    const mine = bank.transfers().filter(({ from, to }) => (from === purse || to === purse) && !mood.isLagging);
    const rows = mine.filter((one) => isRequested(one, body)).map(operationRow);
    const operations = faults.strikes(faults.rates.duplicates) ? [...rows, ...rows] : rows;
    return mood.isBroken ? { operations, retval: -1, retdesc: 'interrupted' } : { operations, retval: 0, retdesc: 'OK' };
  });
  json('Transact', ({ purse }, { tranid = 0, pursedest: to = '', amount = 0, desc: description = '', ...rest }) => {
    if (!Number.isSafeInteger(tranid) || tranid <= 0) throw new Denied(-3, 'tranid');
    if (!/^[A-Z]\d{12}$/.test(to)) throw new Denied(-5, 'pursedest');
    if (rest.onlyauth !== 1) throw new Denied(110, 'onlyauth must be 1');
    const paid = bank.pay({ from: purse, to, amount: `${amount}`, description: description.trim(), tranid: `${tranid}` });
    return { retval: 0, retdesc: 'OK', operation: operationRow(paid) };
  });
}

interface Body {
  readonly reqn?: number;
  readonly tranid?: number;
  readonly wmtranid?: number;
  readonly datestart?: string;
  readonly datefinish?: string;
  readonly pursedest?: string;
  readonly amount?: number;
  readonly desc?: string;
  readonly onlyauth?: number;
}

function deskOf({ desk }: Bank, { headers }: FastifyRequest): DeskPurse | undefined {
  return Object.values(desk.purses).find(({ token }) => headers.authorization === `Bearer ${token}`);
}

function isRequested({ id, tranid, at }: Transfer, { wmtranid = 0, tranid: request = 0, datestart, datefinish }: Body): boolean {
  if (wmtranid > 0) return id === `${wmtranid}`;
  if (request > 0) return tranid === `${request}`;
  if (datestart === undefined || datefinish === undefined) throw new Denied(-7, 'datestart');
  if (new Date(datefinish).getTime() - new Date(datestart).getTime() > 93 * DAY_MS) throw new Denied(1004, 'range');
  return at >= datestart && at <= datefinish;
}

const purseRow = ({ id: pursename, parts }: { id: string; parts: string }): Record<string, unknown> => ({
  ...{ id: 1, pursename, amount: JSON.parse(short(BigInt(parts))) as number, desc: '' },
  ...{ income: true, incomestate: 0, lastintr: 0, lastouttr: 0 },
});

const operationRow = ({ id, tranid, from, to, amount, fee, description, state, at }: Transfer): Record<string, unknown> => ({
  ...{ id: Number(id), ts: Number(id), tranid: Number(tranid), pursesrc: from, pursedest: to },
  ...{ amount: JSON.parse(amount) as number, comiss: JSON.parse(fee) as number, desc: description },
  opertype: state === 'done' ? 0 : state === 'held' ? 4 : 12,
  ...{ wminvid: 0, orderid: 0, period: 0, datecrt: at, dateupd: at },
});

/** Answers interface X18, with the codes of its table. */
function merchantResponse(bank: Bank, xml: string): string {
  const request = (reader.parse(xml) as { 'merchant.request'?: Record<string, string> })['merchant.request'];
  const { wmid = '', lmi_payee_purse: purse = '', lmi_payment_no: number = '', sha256 = '' } = request ?? {};
  const no = (retval: number, words: string): string =>
    `<?xml version="1.0" encoding="windows-1251"?><merchant.response><retval>${retval}</retval><retdesc>${words}</retdesc></merchant.response>`;
  const desk = bank.deskPurse(purse);
  if (!request) return no(-100, 'general error');
  if (!desk) return no(1, 'Merchant purse not found:1');
  if (wmid !== bank.desk.wmid) return no(4, 'Merchant wmid not found');
  const expected = createHash('sha256').update(`${wmid}${purse}${number}${desk.secretKey}`).digest('hex');
  if (sha256.toLowerCase() !== expected) return no(-7, 'MD5 or SHA256 not right');
  const paid = bank.paymentOf(purse, number);
  if (!paid) return no(8, 'Payment with lmi_payment_no not found for this merchant purse');
  if (paid.state === 'returned') return no(13, 'Payment found, but it already reject!');
  return `<?xml version="1.0" encoding="windows-1251"?><merchant.response>
<operation wmtransid="${paid.id}" wminvoiceid="${paid.invoice}"><amount>${paid.amount}</amount>
<operdate>${moscow(paid.at)}</operdate><purpose>order</purpose><pursefrom>${paid.from}</pursefrom>
<wmidfrom>${bank.purse(paid.from)?.wmid}</wmidfrom><hold_period>${paid.hold ?? '0'}</hold_period>
<hold_state>${paid.state === 'held' ? '1' : '0'}</hold_state><capitallerflag>0</capitallerflag><enumflag>0</enumflag>
<IPAddress>192.0.2.1</IPAddress><paymer_number></paymer_number><sdp_type>0</sdp_type></operation>
<retval>0</retval><retdesc></retdesc></merchant.response>`;
}

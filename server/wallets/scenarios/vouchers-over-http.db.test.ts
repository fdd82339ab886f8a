// A withdrawn voucher over HTTP: only its holder can read it or learn of it, and a key that doesn't fit is reported in words.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type Server, buildServer, configureLog, openSealer } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { moneyOutOfWallets } from '../money-out-routes.ts';
import { type WalletWorld, emailOf, walletWorld } from './world.testing.ts';

let world: WalletWorld;
let server: Server;
let withOtherKeys: Server;
before(async () => {
  configureLog({ sink: () => {} });
  world = await walletWorld({ vouchers: true });
  const { db } = world.desk;
  const serve = (handlers: Pick<WalletWorld['handlers'], 'walletWithdrawVoucher' | 'walletConfirmation'>): Server => {
    const built = buildServer({
      config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
      db,
      sealer: testSealer,
      // Signs the caller in to the account whose id they send.
      authenticate: { user: async (id) => ({ id, email: emailOf(id), isEmailVerified: true, sessionId: id }) },
    });
    built.mount(routes.walletWithdrawVoucher, handlers.walletWithdrawVoucher);
    built.mount(routes.walletConfirmation, handlers.walletConfirmation);
    return built;
  };
  server = serve(world.handlers);
  const other = openSealer(new Map([[1, Buffer.alloc(32, 8)]]), 'vouchers');
  withOtherKeys = serve(moneyOutOfWallets({ db, sealer: testSealer, voucher: other, name: 'Kurs' }));
});
after(async () => {
  await server.close();
  await withOtherKeys.close();
  await world.close();
});

const post = async (who: string | undefined, url: string, payload: object, to = server, language = 'en') => {
  const headers = {
    'client-id': 'web',
    'accept-language': language,
    ...(who !== undefined && { authorization: `Bearer ${who}` }),
  };
  const answer = await to.app.inject({ method: 'POST', url: `/api/v1${url}`, payload, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};
const show = (who: string | undefined, payload: object, to = server, language = 'en') =>
  post(who, '/wallet/withdraw-voucher', payload, to, language);
const bought = async (): Promise<{ ann: string; id: string }> => {
  const ann = await world.holder('0.01');
  const { id } = await world.withdraw(ann, '0.002');
  await world.settle();
  return { ann, id };
};

test('only its holder can read it, and the response is not stored anywhere', async () => {
  const [{ ann, id }, eve] = [await bought(), await world.holder()];
  assert.equal((await show(undefined, { id })).status, 401);
  const [strangers, nobodys] = [await show(eve, { id }), await show(eve, { id: eve })];
  assert.deepEqual([strangers.status, strangers.body.code], [404, 'not_found']);
  assert.deepEqual(strangers.body, nobodys.body, 'as of one that nobody has');
  const own = await show(ann, { id });
  assert.equal(own.status, 200);
  assert.match(own.body.data.fields.code, /^code of /);
  assert.equal(own.headers['cache-control'], 'no-store');
  const again = await show(ann, { id });
  assert.deepEqual([again.status, again.body.code], [403, 'code_required']);
  const { body } = await post(ann, '/wallet/confirm-about', { action: 'voucher', id });
  const otp = await world.code(ann, body.data.confirmation);
  const stolen = await show(eve, { id, otp });
  assert.equal(stolen.status, 404, 'not with the code either');
  assert.deepEqual((await show(ann, { id, otp })).body.data.fields, own.body.data.fields);
});

test('reports in words if our keys don’t open it, and counts nothing as shown', async () => {
  const { ann, id } = await bought();
  for (const [language, words] of [
    ['en', /still yours/],
    ['ru', /по-прежнему ваш/],
  ] as const) {
    const { status, body } = await show(ann, { id }, withOtherKeys, language);
    assert.deepEqual([status, body.code], [503, 'voucher_sealed']);
    assert.match(body.message, words);
    assert.doesNotMatch(JSON.stringify(body), /unable to authenticate|Error|code of/);
  }
  assert.equal((await world.desk.db.rows('select from payout_voucher_shown where payout_id = $1', [id])).length, 0);
  assert.equal((await show(ann, { id })).status, 200, 'with the right keys it is shown for the first time');
});

test('is not shown while the account is frozen, since reading it means having its money', async () => {
  const { ann, id } = await bought();
  const freeze = async (days: number): Promise<void> => {
    await world.desk.db.run(
      `update account_holder set frozen_until = clock_now() + $2 * interval '1 day', frozen_because = 'password_reset' where id = $1`,
      [ann, days],
    );
    await writeHolderMacs(world.desk.db);
  };
  await freeze(3);
  const { status, body } = await show(ann, { id });
  assert.deepEqual([status, body.code], [403, 'withdrawals_frozen']);
  await freeze(-1);
  assert.equal((await show(ann, { id })).status, 200);
});

// An account's profile, picture, and new recovery codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@kurs/contract';
import { base32nopad } from '@scure/base';
import { writeHolderMacs } from '../testing.ts';
import { bind, wallClock } from '../../platform/index.ts';
import { dropAvatar, storeAvatar, readAvatar, withoutProgressLetters } from './profile.ts';
import { codeOfStep, stepAt } from '../factors/totp.ts';
import { authWorld, contextOf, lettersOf, newestCode, refused, userWith, wrongAt } from '../scenarios/world.testing.ts';

const ANN = 'ann@example.org';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const world = authWorld();
const signUp = async (email = ANN) => {
  await world.handlers.signUpGetOtp({ email, bot_token: 'sandbox' }, contextOf(world));
  const { access_token: token, user } = await world.handlers.signUpConfirm(
    { email, otp: await newestCode(world) },
    contextOf(world),
  );
  return { token, id: user.id };
};

test('a holder changes what the account says of them; what is left out stays, and letters go by their clock', async () => {
  const { token, id } = await signUp();
  const update = async (change: Parameters<typeof world.handlers.profileUpdate>[0]) =>
    world.handlers.profileUpdate(change, await userWith(world, token));
  await update({ name: 'Анна <b>K</b>', locale: 'ru', timezone: 'Asia/Kolkata' });
  const user = await update({ notifications: { order_progress: false } });
  assert.deepEqual([user.name, user.locale, user.timezone], ['Анна <b>K</b>', 'ru', 'Asia/Kolkata']);
  assert.deepEqual(user.notifications, { order_progress: false });
  assert.deepEqual([...(await withoutProgressLetters(world.db, [id]))], [id]);
  await world.handlers.changePassword({ password: 'correct horse battery' }, await userWith(world, token));
  const letter = (await lettersOf(world)).at(-1);
  assert.match(letter?.text ?? '', /Когда: .*GMT\+5:30/);
  assert.equal((await update({ name: '' })).name, '');
});

test('a profile update changes no other fields', () => {
  const { strict } = bind(routes.profileUpdate, () => Promise.reject(new Error('not asked')));
  for (const more of ['verification_level', 'email', 'email_verified', 'id', 'frozen_until', 'avatar', 'role', '__proto__x'])
    assert.equal(strict.safeParse({ name: 'Ann', [more]: 3 }).success, false, more);
  for (const timezone of ['Mars/Olympus', '', "UTC'; drop table"]) assert.equal(strict.safeParse({ timezone }).success, false);
  assert.equal(strict.safeParse({ name: 'x'.repeat(101) }).success, false);
});

test('a picture has an address of its own that changes with it, and is gone with it', async () => {
  const { token, id } = await signUp();
  const shown = async () => (await world.handlers.userInfo({}, await userWith(world, token))).avatar;
  assert.equal(await shown(), null);
  await storeAvatar(world.db, id, PIXEL);
  const first = (await shown()) as string;
  assert.match(first, /^\/api\/v1\/avatar\/[\w-]{43}$/);
  const keyOf = (url: string) => url.split('/').at(-1) as string;
  assert.equal((await readAvatar(world.db, keyOf(first)))?.type, 'image/webp');
  await storeAvatar(world.db, id, PIXEL);
  assert.notEqual(await shown(), first);
  assert.equal(await readAvatar(world.db, keyOf(first)), undefined);
  await assert.rejects(storeAvatar(world.db, id, Buffer.from('<svg/>')), wrongAt('avatar', 'picture_format'));
  assert.equal((await world.handlers.avatarRemove({}, await userWith(world, token))).avatar, null);
  assert.equal((await world.db.rows('select 1 from avatar')).length, 0);
  await dropAvatar(world.db, id);
});

test('new recovery codes void the old ones, take the authenticator’s code, and are notified by letter', async () => {
  const { token } = await signUp();
  const renew = async (two_factor_code: string) =>
    world.handlers.recoveryCodes({ two_factor_code }, await userWith(world, token));
  await assert.rejects(renew('123456'), refused('two_factor_off'));
  const { secret: written } = await world.handlers.generate2fa({}, await userWith(world, token));
  const shows = (by: number) => codeOfStep(base32nopad.decode(written), stepAt(wallClock()) + by);
  const { recovery_codes: old } = await world.handlers.enable2fa({ two_factor_code: shows(0) }, await userWith(world, token));
  await assert.rejects(renew(old[0] as string), refused('two_factor_wrong'));
  const { recovery_codes: fresh } = await renew(shows(1));
  assert.equal(new Set([...old, ...fresh]).size, 20);
  await assert.rejects(renew(shows(1)), refused('two_factor_wrong'), 'a code is good once');
  assert.match((await lettersOf(world)).at(-1)?.text ?? '', /old ones no longer work/);
  assert.equal((await world.handlers.userInfo({}, await userWith(world, token))).recovery_codes_left, 10);
  await world.db.run('update second_factor set last_step = 0');
  await writeHolderMacs(world.db);
  const off = async (two_factor_code: string) => world.handlers.disable2fa({ two_factor_code }, await userWith(world, token));
  await assert.rejects(off(old[1] as string), refused('two_factor_wrong'));
  await off(fresh[1] as string);
});

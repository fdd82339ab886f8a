import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { gather } from './gather.ts';

/** Waits until a group that may begin has begun. */
const turn = async (): Promise<void> => {
  await immediate();
  await immediate();
};

/** A gatherer whose groups the test answers by hand. */
function byHand(options: Parameters<typeof gather<string, string>>[1] = {}) {
  const groups: { readonly questions: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
  const ask = gather<string, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        groups.push({ questions, answer: () => resolve(questions.map((one) => `to ${one}`)), fail: reject });
      }),
    options,
  );
  return { groups, ask, requested: () => groups.map(({ questions }) => questions.join(' ')) };
}

test('a single question is asked alone, and questions that come meanwhile form one group', async () => {
  const { groups, ask, requested } = byHand();
  const first = ask('a');
  await turn();
  const later = ['b', 'c', 'd'].map(ask);
  await turn();
  assert.deepEqual(requested(), ['a']);
  groups[0]?.answer();
  assert.equal(await first, 'to a');
  await turn();
  assert.deepEqual(requested(), ['a', 'b c d']);
  groups[1]?.answer();
  assert.deepEqual(await Promise.all(later), ['to b', 'to c', 'to d']);
  const last = ask('e');
  await turn();
  groups[2]?.answer();
  assert.equal(await last, 'to e');
});

test('limits the size of a group and the number of groups that run at once', async () => {
  const { groups, ask, requested } = byHand({ max: 2, abreast: 2 });
  const all = ['a', 'b', 'c', 'd', 'e'].map(ask);
  await turn();
  assert.deepEqual(requested(), ['a b', 'c d']);
  groups[1]?.answer();
  await all[3];
  await turn();
  assert.deepEqual(requested(), ['a b', 'c d', 'e']);
  for (const group of groups) group.answer();
  assert.equal((await Promise.all(all)).length, 5);
});

test('questions that share a key run one after another, in their order, and hold up no others', async () => {
  const { groups, ask, requested } = byHand({ keysOf: (question) => question.split('+') });
  const all = ['a', 'a+b', 'b', 'c'].map(ask);
  for (let round = 0; round < 3; round += 1) {
    await turn();
    groups.at(-1)?.answer();
    await turn();
  }
  assert.deepEqual(requested(), ['a c', 'a+b', 'b']);
  await Promise.all(all);
});

test('a group that fails rejects all of its questions, and the next group is asked', async () => {
  const { groups, ask } = byHand({ max: 2 });
  const all = ['a', 'b', 'c'].map(ask);
  await turn();
  groups[0]?.fail(new Error('away'));
  const reported = await Promise.allSettled(all.slice(0, 2));
  assert.deepEqual(
    reported.map((one) => one.status === 'rejected' && (one.reason as Error).message),
    ['away', 'away'],
  );
  await turn();
  groups[1]?.answer();
  assert.equal(await all[2], 'to c');
});

test('fails if the number of answers differs from the number of questions', async () => {
  const ask = gather<string, string>(async () => []);
  await assert.rejects(ask('a'), /0 answers to 1 questions/);
});

test('runs a group outside the async context of its callers', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const ask = gather<string, string>(async (questions) => {
    seen.push(context.getStore());
    return questions;
  });
  await Promise.all([context.run('one', () => ask('a')), context.run('other', () => ask('b'))]);
  await context.run('one', () => ask('c'));
  assert.deepEqual(seen, [undefined, undefined]);
});

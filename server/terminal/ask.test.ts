// A terminal shows typed answers unless they are hidden.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { openQuestions } from './ask.ts';

/** Returns a terminal: text is typed into `input`, and `shown` returns the screen. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let screen = '';
  output.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  return { input, output, shown: () => screen };
}

test('shows what is typed, unless the question is hidden', async () => {
  const { input, output, shown } = terminal();
  const questions = openQuestions({ input, output });
  const first = questions.ask('Name: ');
  input.write('maria\r');
  assert.equal(await first, 'maria');
  const second = questions.ask('Passphrase: ', { isHidden: true });
  input.write('secret words\r');
  assert.equal(await second, 'secret words');
  questions.close();
  assert.match(shown(), /Name: .*maria/s);
  assert.doesNotMatch(shown(), /secret/);
});

test('shows nothing of a secret, whether it is typed within a question or between two', async () => {
  const { input, output, shown } = terminal();
  const questions = openQuestions({ isSecret: true, input, output });
  const first = questions.ask('Word 1: ');
  input.write('panda\reyebrow\rbullet');
  assert.equal(await first, 'panda');
  await pause(10);
  input.write(' gorilla\rcall\r');
  await pause(10);
  assert.equal(await questions.ask('Word 2: '), 'eyebrow');
  input.write('smoke\r');
  assert.deepEqual(await questions.rest(), ['bullet gorilla', 'call', 'smoke']);
  const last = questions.ask('Word 7: ');
  input.write('muffin\r');
  assert.equal(await last, 'muffin', 'an answer after a paste is not lost');
  questions.close();
  assert.deepEqual(shown().match(/panda|eyebrow|bullet|gorilla|call|smoke|muffin/g), null, shown());
});

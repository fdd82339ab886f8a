import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bothStarted } from './both-started.ts';

const ended: string[] = [];
const system = { stop: async () => void ended.push('system') };
const browser = { close: async () => void ended.push('browser') };
const never = () => Promise.reject(new Error('it did not start'));

test('of two that start at once the one that did is ended where the other did not, and why is told', async () => {
  assert.deepEqual(await bothStarted(Promise.resolve(system), Promise.resolve(browser)), [system, browser]);
  assert.deepEqual(ended, []);
  await assert.rejects(bothStarted(Promise.resolve(system), never()), /it did not start/);
  assert.deepEqual(ended, ['system']);
  await assert.rejects(bothStarted(never(), Promise.resolve(browser)), /it did not start/);
  assert.deepEqual(ended, ['system', 'browser']);
  await assert.rejects(bothStarted(never(), never()), /it did not start/);
  assert.deepEqual(await bothStarted(Promise.resolve(system), Promise.resolve(undefined)), [system, undefined]);
});

// Deposits through whatever payments, people and the wallet can do to them, in any order: after each step the books say of the
// deposit what its row says, and what its rail has of ours is what the books say.

import { test } from 'node:test';
import fc from 'fast-check';
import { Course, HAPPENINGS, mustAgree, written } from '../deposits/deposit-world.testing.ts';

/** A course through these happenings, judged after each. */
function follow(all: readonly (readonly [name: string, n: number])[]): Course {
  const course = new Course();
  for (const [name, n] of all) {
    HAPPENINGS[name]!(course, n);
    mustAgree(course);
  }
  return course;
}

test('whatever happens to a deposit, the books say of it what its row says', () => {
  const happening = fc.tuple(fc.constantFrom(...Object.keys(HAPPENINGS)), fc.nat(1_200));
  fc.assert(
    fc.property(fc.array(happening, { minLength: 4, maxLength: 40 }), (all) => void follow(all)),
    { numRuns: 2_000 },
  );
});

test('nor does any course of five happenings part them', () => {
  // By chance, what needs all five in one order is met in every second run only.
  const steps = Object.keys(HAPPENINGS).flatMap((name) => [0, 1, 499].map((n) => [name, n] as const));
  const met = new Set([written(new Course())]);
  let front: (readonly (readonly [string, number])[])[] = [[]];
  for (let depth = 0; depth < 5; depth += 1) {
    const next: typeof front = [];
    for (const path of front) {
      for (const step of steps) {
        const course = [...path, step];
        const key = written(follow(course));
        if (met.has(key)) continue;
        met.add(key);
        next.push(course);
      }
    }
    front = next;
  }
});

// Deposits through any order of events by payments, people and the wallet. After each step, the books agree with the deposit's
// row, and the rail's money agrees with the books.

import { test } from 'node:test';
import fc from 'fast-check';
import { Course, HAPPENINGS, mustAgree, written } from '../deposits/deposit-world.testing.ts';

/** Follows a course of events, and checks it after each. */
function follow(all: readonly (readonly [name: string, n: number])[]): Course {
  const course = new Course();
  for (const [name, n] of all) {
    HAPPENINGS[name]!(course, n);
    mustAgree(course);
  }
  return course;
}

test('after any events, the books agree with the deposit’s row', () => {
  const happening = fc.tuple(fc.constantFrom(...Object.keys(HAPPENINGS)), fc.nat(1_200));
  fc.assert(
    fc.property(fc.array(happening, { minLength: 4, maxLength: 40 }), (all) => void follow(all)),
    { numRuns: 2_000 },
  );
});

test('after every course of five events, the books agree with the deposit’s row', () => {
  // Random courses would meet one that needs all five in order only in every second run.
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

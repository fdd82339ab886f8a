import { Problem } from '@kurs/contract';

/** Returns the result of `work`, or the `Problem` that it throws. Throws any other error. */
export async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

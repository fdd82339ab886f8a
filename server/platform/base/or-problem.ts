import { Problem } from '@kurs/contract';

/** Returns the result of `work`. If `work` fails with a `Problem`, returns that problem; any other error is thrown. */
export async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

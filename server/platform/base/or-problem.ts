import { Problem } from '@kurs/contract';

/** What a work gives, or the problem that it throws. Throws what else it throws. */
export async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

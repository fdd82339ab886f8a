import { type Challenge, findNumber, solutionToken } from './solve.ts';

/** Solves one challenge in a worker, so that the page stays responsive. Posts the token, or null if there is no solution. */
addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  const number = await findNumber(data);
  postMessage(number === undefined ? null : solutionToken(data, number));
});

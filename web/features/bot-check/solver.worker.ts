import { type Challenge, findNumber, solutionToken } from './solve.ts';

/** Solves one challenge beside the page, so that the page stays quick. Answers the token, or null where there is none. */
addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  const number = await findNumber(data);
  postMessage(number === undefined ? null : solutionToken(data, number));
});

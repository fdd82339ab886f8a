// State of the sign-in dialogs and the calls that move from one dialog to the next.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useSite } from '../../site.ts';
import { storeToken } from '../access-token.ts';
import {
  type Attempt,
  type BotCheck,
  type Coded,
  type Entry,
  type GoogleShown,
  beginBotCheck,
  byGoogle,
  mailCode,
  mailGoogleCode,
} from '../account-calls.ts';
import { type Work, useWork } from './use-work.ts';
import { failedBy } from './wrong.ts';

/** The dialog that is open; only one is open at a time. */
export type Mode = 'email' | 'code' | 'password' | 'forgot' | 'reset' | 'link' | 'linkByPassword' | 'second' | 'frozen';

/** Purpose of a mailed code: to sign in, or to set a new password. */
export type CodePurpose = 'sign_in' | 'password';

type BotTokenRequest = () => Promise<string | null>;

/** State of the dialogs and their actions. */
export interface SignInDialogs extends Pick<Work, 'wrong' | 'isBusy'> {
  readonly mode: Mode;
  readonly email: string;
  readonly codes: MailedCodes;
  readonly entering: Entering;
  readonly google: GoogleWay;
  /** Requests the token of the bot check that began with the dialog. */
  readonly bot: BotTokenRequest;
  readonly setEmail: (email: string) => void;
  /** Opens another dialog and clears the errors. */
  readonly turnTo: (mode: Mode) => void;
  /** Mails a code to the address, then opens the dialog that takes the code. */
  readonly sendCode: (purpose: CodePurpose) => void;
  readonly close: () => void;
}

/** Returns the state and actions of the sign-in dialogs. A bot check that needs the visitor is drawn into `botPlace`. */
export function useSignIn(botPlace: RefObject<HTMLElement | null>, onClose: () => void): SignInDialogs {
  const [mode, setMode] = useState<Mode>('email');
  const [email, setEmail] = useState('');
  const { wrong, isBusy, run, clear } = useWork();
  const bot = useBotCheck(botPlace);
  const codes = useMailedCodes(email, bot);
  const turnTo = (next: Mode): void => {
    clear();
    setMode(next);
  };
  const entering = useEntering({ run, turnTo, onClose });
  const google = useGoogle({ run, turnTo, entering, codes, onEmail: setEmail });
  const sendCode = (purpose: CodePurpose): void =>
    run(async () => {
      await codes.send(purpose);
      setMode(purpose === 'sign_in' ? 'code' : 'reset');
    }, ['email']);
  const close = (): void => {
    if (entering.entered) storeToken(entering.entered.access_token);
    onClose();
  };
  return { mode, email, wrong, isBusy, codes, entering, google, bot, setEmail, turnTo, sendCode, close };
}

/** Codes that were mailed from these dialogs. */
interface MailedCodes {
  /** Seconds until another code may be requested, counted from the last letter. */
  readonly resendIn: number;
  readonly send: (purpose: CodePurpose) => Promise<void>;
  /** Mails a code to the address of a Google account. Returns that address. */
  readonly sendForGoogle: (shown: GoogleShown) => Promise<string>;
  /** Returns a typed code with the address and the handle that it is valid with. */
  readonly withHandle: (purpose: CodePurpose, otp: string) => Pick<Coded, 'email' | 'otp' | 'handle'>;
}

function useMailedCodes(email: string, bot: BotTokenRequest): MailedCodes {
  const [resendIn, setResendIn] = useState(0);
  /** Handle of the last code, by purpose and address. */
  const handles = useRef<Record<string, string>>({});
  const send = async (purpose: CodePurpose): Promise<void> => {
    const mailed = await mailCode(purpose, { email, handle: handles.current[`${purpose} ${email}`] }, bot);
    handles.current[`${purpose} ${email}`] = mailed.handle;
    setResendIn(mailed.resend_in);
  };
  const sendForGoogle = async (shown: GoogleShown): Promise<string> => {
    const sent = await mailGoogleCode(shown);
    setResendIn(sent.resend_in);
    return sent.email;
  };
  const withHandle: MailedCodes['withHandle'] = (purpose, otp) => ({
    email,
    otp,
    handle: handles.current[`${purpose} ${email}`] ?? '',
  });
  return { resendIn, send, sendForGoogle, withHandle };
}

/** Attempts to sign in, with the second factor if the account has one. */
interface Entering {
  /** Account that is signed in while its holder reads that withdrawals are frozen. */
  readonly entered: Entry | undefined;
  /** Makes an attempt and shows its failure at the named fields. `freezes`: the attempt freezes withdrawals. */
  readonly enter: (attempt: Attempt, fields: readonly string[], hasFreeze?: boolean) => void;
  /** Makes an attempt. If a second factor is needed, opens its dialog; throws any other failure. */
  readonly tryToEnter: (attempt: Attempt, hasFreeze?: boolean) => Promise<void>;
  /** Repeats the attempt that needed a second factor, with its code. */
  readonly addSecond: (code: string, isRecovery: boolean) => void;
}

function useEntering({
  run,
  turnTo,
  onClose,
}: Pick<Work, 'run'> & Pick<SignInDialogs, 'turnTo'> & { onClose: () => void }): Entering {
  /** Attempt that waits for its second factor, and whether it freezes withdrawals. */
  const waiting = useRef<{ attempt: Attempt; hasFreeze: boolean }>(undefined);
  const [entered, setEntered] = useState<Entry>();
  useStoredAtLeaving(entered);
  const arrive = (entry: Entry, hasFreeze: boolean): void => {
    if (hasFreeze && entry.user.frozen_until !== null) {
      setEntered(entry);
      return turnTo('frozen');
    }
    storeToken(entry.access_token);
    onClose();
  };
  const tryToEnter = async (attempt: Attempt, hasFreeze = false): Promise<void> => {
    try {
      arrive(await attempt(), hasFreeze);
    } catch (error) {
      if (!failedBy(error, 'two_factor_required')) throw error;
      waiting.current = { attempt, hasFreeze };
      turnTo('second');
    }
  };
  const enter = (attempt: Attempt, fields: readonly string[], freezes = false): void =>
    run(() => tryToEnter(attempt, freezes), fields);
  const addSecond = (code: string, isRecovery: boolean): void =>
    run(async () => {
      if (waiting.current) arrive(await waiting.current.attempt(code), waiting.current.hasFreeze || isRecovery);
    }, ['two_factor_code']);
  return { entered, enter, tryToEnter, addSecond };
}

/** Sign-in with Google. The first time, its holder also proves that the address is their own. */
interface GoogleWay {
  readonly isBusy: boolean;
  /** Number of failed attempts. Each one needs a new button, since Google's token is valid once. */
  readonly failures: number;
  readonly enterByGoogle: (shown: GoogleShown) => void;
  /** Mails another code to the address of the Google account. */
  readonly sendAgain: () => void;
  /** Signs in with the last Google token and a proof of the address. */
  readonly link: (proof: { otp: string } | { password: string }) => void;
}

function useGoogle({
  run,
  turnTo,
  entering,
  codes,
  onEmail,
}: Pick<Work, 'run'> & Pick<SignInDialogs, 'turnTo' | 'entering' | 'codes'> & { onEmail: (email: string) => void }): GoogleWay {
  const [last, setLast] = useState<{ shown: GoogleShown; failures: number }>();
  const [isBusy, setBusy] = useState(false);
  const send = async (shown: GoogleShown): Promise<void> => onEmail(await codes.sendForGoogle(shown));
  const enterByGoogle = (shown: GoogleShown): void =>
    run(async () => {
      setBusy(true);
      try {
        await entering.tryToEnter(byGoogle(shown));
      } catch (error) {
        setLast((before) => ({ shown, failures: (before?.failures ?? 0) + 1 }));
        if (!failedBy(error, 'google_proof_required')) throw error;
        await send(shown);
        turnTo('link');
      } finally {
        setBusy(false);
      }
    });
  const sendAgain = (): void => {
    if (last) run(() => send(last.shown));
  };
  const link: GoogleWay['link'] = (proof) => {
    if (last) entering.enter(byGoogle(last.shown, proof), Object.keys(proof));
  };
  return { isBusy, failures: last?.failures ?? 0, enterByGoogle, sendAgain, link };
}

/**
 * Begins a bot check before a letter is requested. Returns the request for its token. A token is valid once: each later request,
 * and one after a failure, begins a new check. A check that needs the visitor is drawn into `place`.
 */
function useBotCheck(place: RefObject<HTMLElement | null>): BotTokenRequest {
  const site = useSite();
  const begun = useRef<Promise<BotCheck>>(undefined);
  useEffect(() => {
    begun.current = beginBotCheck(site);
    begun.current.catch(() => undefined);
  }, [site]);
  return useCallback(async () => {
    const begin = begun.current ?? beginBotCheck(site);
    begun.current = undefined;
    const check = await begin;
    return check(place.current as HTMLElement);
  }, [site, place]);
}

/** Stores the session if the visitor leaves the page at the last dialog, so that they stay signed in. */
function useStoredAtLeaving(entered: Entry | undefined): void {
  useEffect(() => {
    if (!entered) return undefined;
    const store = (): void => storeToken(entered.access_token);
    addEventListener('pagehide', store);
    return () => removeEventListener('pagehide', store);
  }, [entered]);
}

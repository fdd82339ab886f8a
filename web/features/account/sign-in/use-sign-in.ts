// State of the sign-in dialogs, and the calls that lead from one dialog to the next.

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

/** Name of the open dialog; only one is open at a time. */
export type Mode = 'email' | 'code' | 'password' | 'forgot' | 'reset' | 'link' | 'linkByPassword' | 'second' | 'frozen';

/** Purpose of a mailed code: to sign in, or to set a new password. */
export type CodePurpose = 'sign_in' | 'password';

type BotTokenRequest = () => Promise<string | null>;

/** State and actions of the sign-in dialogs. */
export interface SignInDialogs extends Pick<Work, 'wrong' | 'isBusy'> {
  readonly mode: Mode;
  readonly email: string;
  readonly codes: MailedCodes;
  readonly entering: Entering;
  readonly google: GoogleWay;
  /** Returns the token of a bot check. The first check began when the dialog was opened. */
  readonly bot: BotTokenRequest;
  readonly setEmail: (email: string) => void;
  /** Opens another dialog and clears the form's errors. */
  readonly turnTo: (mode: Mode) => void;
  /** Has a code mailed to the typed e-mail address, then opens the dialog for the code. */
  readonly sendCode: (purpose: CodePurpose) => void;
  readonly close: () => void;
}

/** Returns the state and actions of the sign-in dialogs. A bot check that the visitor has to see is shown in `botPlace`. */
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

/** Codes that were mailed from the sign-in dialogs. */
interface MailedCodes {
  /** Seconds until another code may be requested, counted from the time the last code was mailed. */
  readonly resendIn: number;
  readonly send: (purpose: CodePurpose) => Promise<void>;
  /** Has a code mailed to the address of a Google account. Returns that address. */
  readonly sendForGoogle: (shown: GoogleShown) => Promise<string>;
  /** True if a code for this purpose was mailed to the typed e-mail address. */
  readonly isMailed: (purpose: CodePurpose) => boolean;
  /** Returns a typed code together with the e-mail address and the handle for which it was mailed. */
  readonly withHandle: (purpose: CodePurpose, otp: string) => Pick<Coded, 'email' | 'otp' | 'handle'>;
}

function useMailedCodes(email: string, bot: BotTokenRequest): MailedCodes {
  const [resendIn, setResendIn] = useState(0);
  /** Handle of the last mailed code, by purpose and e-mail address. */
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
  const isMailed: MailedCodes['isMailed'] = (purpose) => handles.current[`${purpose} ${email}`] !== undefined;
  return { resendIn, send, sendForGoogle, isMailed, withHandle };
}

/** Actions that sign in, with the second factor if the account has one. */
interface Entering {
  /**
   * Result of a sign-in that froze withdrawals, while a dialog says so. The session is stored when the visitor closes the dialog.
   */
  readonly entered: Entry | undefined;
  /**
   * Signs in by `attempt`, and shows a failure at the named fields. `hasFreeze`: true if signing in by this attempt freezes
   * withdrawals.
   */
  readonly enter: (attempt: Attempt, fields: readonly string[], hasFreeze?: boolean) => void;
  /** Signs in by `attempt`. Opens the dialog for the second factor if the server requires one; throws any other failure. */
  readonly tryToEnter: (attempt: Attempt, hasFreeze?: boolean) => Promise<void>;
  /** Repeats the last attempt, which the server refused without a second factor, with the code of the second factor. */
  readonly addSecond: (code: string, isRecovery: boolean) => void;
}

function useEntering({
  run,
  turnTo,
  onClose,
}: Pick<Work, 'run'> & Pick<SignInDialogs, 'turnTo'> & { onClose: () => void }): Entering {
  /**
   * Attempt that the server refused without a second factor. `hasFreeze`: true if signing in by this attempt freezes withdrawals.
   */
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

/** Sign-in with Google. The first sign-in of a Google account also needs a proof that the holder owns the address. */
interface GoogleWay {
  readonly isBusy: boolean;
  /** Number of failed sign-ins with Google. After each of them a new button is needed, since Google's token is valid once. */
  readonly failures: number;
  readonly enterByGoogle: (shown: GoogleShown) => void;
  /** Has another code mailed to the address of the Google account. */
  readonly sendAgain: () => void;
  /** Signs in with the last Google token and a proof that the holder owns the address. */
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
 * Begins a bot check as soon as the dialogs are shown. Returns a function that returns the check's token. A token is valid once,
 * so each later call begins a new check. A check that the visitor has to see is shown in `place`.
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

/** Stores the session if the visitor leaves the page while the last dialog is open, so that they stay signed in. */
function useStoredAtLeaving(entered: Entry | undefined): void {
  useEffect(() => {
    if (!entered) return undefined;
    const store = (): void => storeToken(entered.access_token);
    addEventListener('pagehide', store);
    return () => removeEventListener('pagehide', store);
  }, [entered]);
}

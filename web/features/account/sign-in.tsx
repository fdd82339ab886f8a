import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { solveInWorker } from '../bot-check/solve-in-worker.ts';
import { m } from '../words.ts';
import { keepToken } from './access-token.ts';
import { accountClient } from './account-client.ts';
import { CodeForm } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { type Wrong, wrongOf } from './wrong.ts';

/** Which dialog is open: one at a time. */
type Mode = 'email' | 'code';

/** The dialogs of signing in: an address, then the code that was mailed to it. */
export function SignIn({ onClose }: { onClose: () => void }): ReactNode {
  const [mode, setMode] = useState<Mode>('email');
  const [email, setEmail] = useState('');
  const [resendIn, setResendIn] = useState(0);
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);
  // The work begins before it is asked for: most of it is done while the address is typed.
  const begunWork = useRef<Promise<string | null>>(undefined);
  useEffect(() => {
    begunWork.current = botToken();
    begunWork.current.catch(() => undefined);
  }, []);

  const run = async (field: string, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setWrong({});
    try {
      await work();
    } catch (error) {
      setWrong(wrongOf(error, field));
    } finally {
      setBusy(false);
    }
  };
  const send = (): Promise<void> =>
    run('email', async () => {
      // A token is good once, and one that could not be made is made anew.
      const begun = begunWork.current ?? botToken();
      begunWork.current = undefined;
      const bot_token = await begun;
      const { resend_in } = await accountClient.signUpGetOtp({ email, ...(bot_token !== null && { bot_token }) });
      setResendIn(resend_in);
      setMode('code');
    });
  const confirm = (otp: string): Promise<void> =>
    run('otp', async () => {
      const { access_token } = await accountClient.signUpConfirm({ email, otp });
      keepToken(access_token);
      onClose();
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void send();
  };

  return (
    <Dialog
      key={mode}
      open
      onClose={onClose}
      title={mode === 'email' ? m.sign_in_title() : m.code_title()}
      closeLabel={m.close()}
    >
      {mode === 'email' ? (
        <EmailForm email={email} onEmail={setEmail} wrong={wrong} busy={busy} onSubmit={submit} />
      ) : (
        <CodeForm
          email={email}
          resendIn={resendIn}
          wrong={wrong}
          busy={busy}
          onCode={(otp) => void confirm(otp)}
          onAgain={() => void send()}
          onOther={() => {
            setWrong({});
            setMode('email');
          }}
        />
      )}
    </Dialog>
  );
}

/** The proof of work that a letter costs; null where none could be made, which the server then asks for. */
async function botToken(): Promise<string | null> {
  const challenge = await accountClient.botChallenge({});
  return solveInWorker(challenge, AbortSignal.timeout(60_000));
}

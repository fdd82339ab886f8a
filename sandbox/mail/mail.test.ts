import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { Mailbox, mailPage, openSmtp } from './index.ts';
import { readMail } from './mime.ts';
import { sendMail } from './smtp.testing.ts';

const eml = readFileSync(new URL('fixtures/order-ru.eml', import.meta.url));

it('reads a mail in two forms and two alphabets', () => {
  const mail = readMail(eml);
  assert.equal(mail.subject, 'Заказ KX-7F3Q-2M8C: деньги получены, меняем');
  assert.equal(
    mail.text,
    'Здравствуйте!\n\nМы получили 0.015 BTC по заказу KX-7F3Q-2M8C. Страница заказа:\n' +
      'https://kurs.example/Ru/order?id=KX-7F3Q-2M8C&token=8J1mVf0cQ2xkq3Yx1bW9sD4uH7gT6rE5pN2aZ0vLkM8\n\n' +
      '1 = 1 и 2 = 2; точка в начале строки:\n.\n.конец',
  );
  assert.match(mail.html, /^<p>Здравствуйте!<\/p>.*0\.015&nbsp;BTC.*<\/p>$/);
});

it('reads plain, base 64, nested and malformed mails as well as possible', () => {
  const read = (text: string) => readMail(Buffer.from(text.replaceAll('\n', '\r\n')));
  assert.deepEqual(read('Subject: Hi\n there\n\nline\n'), { subject: 'Hi there', text: 'line', html: '' });
  assert.deepEqual(read('Content-Transfer-Encoding: base64\n\naGVs\nbG8='), { subject: '', text: 'hello', html: '' });
  assert.equal(read('Subject: =?iso-8859-1?Q?caf=E9_ol=E9?=\n\n').subject, 'café olé');
  const inner = 'Content-Type: multipart/alternative; boundary=in\n\n--in\n\ntext\n--in\nContent-Type: text/html\n\n<b>\n--in--';
  assert.deepEqual(
    read(
      `Content-Type: multipart/mixed; boundary="o.u+t"\n\nx\n--o.u+t\n${inner}\n--o.u+t\nContent-Type: image/png\n\nx\n--o.u+t--\n`,
    ),
    {
      subject: '',
      text: 'text',
      html: '<b>',
    },
  );
  for (const text of ['', '\n\n', 'Content-Type: multipart/mixed; boundary=x\n\n--x', 'Subject: =?nonsense?Q?x?=\n\n', ':\n\n'])
    assert.doesNotThrow(() => read(text));
});

it('accepts mails by SMTP for each receiver, lists the newest first, and retains them over a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-mail-'));
  const file = join(folder, 'mail.jsonl');
  const mailbox = new Mailbox(file);
  const smtp = await openSmtp(mailbox, 0);
  try {
    await sendMail(smtp.port, ['Ivan@example.org', 'desk@example.org'], eml.toString('latin1').replaceAll('\r\n.', '\r\n..'));
    await sendMail(smtp.port, ['ivan@example.org'], 'Subject: second\r\n\r\n2');
    assert.deepEqual(
      mailbox.list('IVAN@example.org').map(({ subject }) => subject),
      ['second', readMail(eml).subject],
    );
    assert.equal(mailbox.list('ivan@example.org')[1]?.text, readMail(eml).text);
    assert.equal(mailbox.list().length, 3);
    assert.ok(Math.abs(Date.parse(mailbox.list()[0]?.at ?? '') - Date.now()) < 60_000);
    appendFileSync(file, '{"to":"torn');
    assert.deepEqual(new Mailbox(file).list(), mailbox.list());
  } finally {
    await smtp.close();
    rmSync(folder, { recursive: true });
  }
});

it('shows a page on which no mail can run scripts', () => {
  const page = mailPage(
    [
      {
        to: 'a@example.org',
        subject: '<script>1</script>',
        text: '',
        html: '"><script>alert(1)</script>',
        at: '2026-11-20T12:00:00.000Z',
      },
    ],
    '"><b>',
  );
  assert.ok(!page.includes('<script'));
  assert.ok(page.includes('sandbox="allow-top-navigation-by-user-activation"') && !page.includes('allow-scripts'));
  assert.ok(page.includes('value="&quot;&gt;&lt;b&gt;"'));
  assert.match(mailPage([], ''), /No mail yet/);
});

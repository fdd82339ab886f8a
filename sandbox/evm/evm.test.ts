import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Refused } from '../counterpart.ts';
import { rpc } from './anvil.ts';
import { type Evm, openEvm } from './index.ts';

const base = mkdtempSync(join(tmpdir(), 'kurs-evm-'));
after(() => rmSync(base, { recursive: true, force: true }));

const payment = (to: string, amount: string) => ({
  currency: 'USDT_ERC20',
  to,
  amount,
  fee: 'normal' as const,
  isReplaceable: false,
});

async function until(what: () => Promise<boolean>, words: string): Promise<void> {
  for (let wait = 0; wait < 200; wait += 1) {
    if (await what().catch(() => false)) return;
    await sleep(25);
  }
  assert.fail(words);
}

const receipt = (evm: Evm, txid: string) =>
  evm.chain.call<{ status: string; blockNumber: string } | null>('eth_getTransactionReceipt', txid);

test('it funds, pays and returns balances in exact decimals, and refuses impossible payments', async () => {
  const evm = await openEvm();
  try {
    const [mine, theirs] = [await evm.address('USDT_ERC20'), await evm.address('ETH')];
    assert.notEqual(mine, theirs);
    await evm.fund({ currency: 'USDT_ERC20', to: mine, amount: '2000000' });
    await evm.fund({ currency: 'ETH', to: theirs, amount: '50.000000000000000001' });
    assert.equal(await evm.balance('USDT_ERC20', mine), '2000000.000000');
    assert.equal(await evm.balance('ETH', theirs), '50.000000000000000001');
    const paid = await evm.pay(payment(theirs, '0.000001'));
    assert.notEqual(paid.from, mine);
    assert.equal(await evm.balance('USDT_ERC20', theirs), '0.000001', 'waiting counts');
    assert.equal(await receipt(evm, paid.txid), null);
    await evm.mine(1);
    assert.equal((await receipt(evm, paid.txid))?.status, '0x1');
    await assert.rejects(evm.pay(payment('bc1qnonsense', '1')), (error) => error instanceof Refused && error.field === 'to');
    await assert.rejects(evm.pay(payment(mine, '0.0000001')), (error) => error instanceof Refused && error.field === 'amount');
    await assert.rejects(evm.balance('BTC', mine), (error) => error instanceof Refused && error.field === 'currency');
  } finally {
    await evm.close();
  }
});

test('blocks come automatically while there is work, and slowly once the newest transaction is deep', async () => {
  const evm = await openEvm({ blockMs: 5 });
  try {
    const { txid } = await evm.pay(payment(await evm.address('USDT_ERC20'), '1'));
    await until(async () => (await receipt(evm, txid)) !== null, 'the payment is mined');
    const mined = Number.parseInt((await receipt(evm, txid))?.blockNumber ?? '', 16);
    await until(async () => (await evm.chain.height()) >= mined + 70, 'it is buried');
    await sleep(200);
    assert.equal(await evm.chain.height(), mined + 70, 'and then it is quiet');
  } finally {
    await evm.close();
  }
});

test('a reorg replaces blocks: transactions return in their order, or are dropped', async () => {
  const evm = await openEvm();
  try {
    const to = await evm.address('USDT_ERC20');
    for (const drop of [false, true]) {
      const { txid } = await evm.pay(payment(to, '5'));
      await evm.mine(3);
      const hash = async (): Promise<string> =>
        (await evm.chain.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash;
      const [height, before] = [await evm.chain.height(), await hash()];
      assert.equal(await evm.reorg(3, drop), height);
      assert.notEqual(await hash(), before);
      assert.equal(await receipt(evm, txid), null);
      await evm.mine(1);
      assert.equal((await receipt(evm, txid)) === null, drop);
    }
    await evm.mine(2);
    const empty = await evm.chain.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false);
    await evm.reorg(1, false);
    assert.notEqual(
      (await evm.chain.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash,
      empty.hash,
      'an empty block too',
    );
  } finally {
    await evm.close();
  }
});

test('the token’s owner blocks a receiver before waiting transactions are mined', async () => {
  const evm = await openEvm();
  try {
    const to = await evm.address('USDT_ERC20');
    const waiting = await evm.pay(payment(to, '5'));
    await evm.tricks?.['block']?.({ account: to });
    assert.equal((await receipt(evm, waiting.txid))?.status, '0x0');
    await evm.tricks?.['block']?.({ account: to, blocked: false });
    assert.equal(await evm.chain.call('eth_maxPriorityFeePerGas'), '0x3b9aca00', 'nobody pays the owner’s tip after it');
    await evm.pay(payment(to, '7'));
    await evm.mine(1);
    assert.equal(await evm.balance('USDT_ERC20', to), '7.000000');
  } finally {
    await evm.close();
  }
});

test('chain, contracts, keys and a waiting payment survive a clean restart', async () => {
  const folder = join(base, 'clean');
  const first = await openEvm({ folder });
  const to = await first.address('USDT_ERC20');
  const mined = await first.pay(payment(to, '5'));
  await first.mine(3);
  const waiting = await first.pay(payment(to, '7'));
  const { contracts } = first.customer;
  const height = await first.chain.height();
  await first.close();

  const second = await openEvm({ folder });
  try {
    assert.deepEqual(second.customer.contracts, contracts);
    assert.equal(await second.chain.height(), height);
    assert.equal((await receipt(second, mined.txid))?.status, '0x1');
    await second.mine(1);
    assert.equal((await receipt(second, waiting.txid))?.status, '0x1');
    assert.equal(await second.balance('USDT_ERC20', to), '12.000000');
    assert.notEqual(await second.address('USDT_ERC20'), to);
  } finally {
    await second.close();
  }
});

test('a node killed with -9 is started again from its last save', async () => {
  const evm = await openEvm({ folder: join(base, 'node'), blockMs: 20 });
  try {
    const to = await evm.address('USDT_ERC20');
    const { txid } = await evm.pay(payment(to, '5'));
    process.kill(await evm.chain.pid(), 'SIGKILL');
    await until(async () => (await receipt(evm, txid)) !== null, 'the payment is mined after all');
    assert.equal(await evm.balance('USDT_ERC20', to), '5.000000');
  } finally {
    await evm.close();
  }
});

test('the sandbox killed with -9 leaves no node behind, and loses no reported payment', async () => {
  const folder = join(base, 'killed');
  const script = `
    const { openEvm } = await import(${JSON.stringify(fileURLToPath(new URL('index.ts', import.meta.url)))});
    const evm = await openEvm({ folder: ${JSON.stringify(folder)}, blockMs: 20 });
    const to = await evm.address('USDT_ERC20');
    const { txid } = await evm.pay({ currency: 'USDT_ERC20', to, amount: '9', fee: 'normal', isReplaceable: false });
    console.log(JSON.stringify({ to, txid, pid: await evm.chain.pid(), url: await evm.chain.url() }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { to, txid, url } = JSON.parse(line.toString()) as { to: string; txid: string; url: string };
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until(
    () =>
      rpc(url, [{ method: 'eth_chainId', params: [] }]).then(
        () => false,
        () => true,
      ),
    'the orphan is gone',
  );

  const evm = await openEvm({ folder });
  try {
    await evm.mine(1);
    assert.equal((await receipt(evm, txid))?.status, '0x1');
    assert.equal(await evm.balance('USDT_ERC20', to), '9.000000');
  } finally {
    await evm.close();
  }
});

import type pg from 'pg';
import type { ApiClient } from '../../harness/api-client.ts';
import type { OwnPostgres } from '../../harness/own-postgres.ts';
import { behave, type Child } from '../../harness/processes.ts';
import type { TcpProxy } from '../../harness/proxy.ts';
import { pauseAfterStep, type SteppedClock, stepBack } from './clock-steps.ts';
import { pass, seconds } from './totals.ts';

/** How long the provider takes for a call: usually, and while a clock steps. */
export const usualMilliseconds = 200;
const clockMilliseconds = 20;

/** A product on PostgreSQL with a worker process, behind proxies, while a batch runs. */
export interface Stage {
  postgres: OwnPostgres;
  admin: pg.Pool;
  client: ApiClient;
  chat: Child;
  directory: string;
  clock: SteppedClock;
  batchId: string;
  api: Child;
  worker: Child;
  ways: Record<'api' | 'worker', TcpProxy>;
  /** The most connections of the two processes while the batch runs and nothing else happens. */
  usualConnections: number;
}

/** What a fault measures itself. */
export interface Measured {
  /** To connect, of the process with the most, while connections are refused. */
  attemptsPerSecond?: number;
  /** The longest time without a stored row or a finished job. */
  pauseSeconds?: number;
  neverWentOn?: boolean;
  /** The 95th percentile of the time until a request got 503. */
  refusedSeconds?: number;
}

export interface Fault {
  name: string;
  act(stage: Stage): Promise<Measured>;
}

export const outage = (milliseconds: number): Fault => ({
  name: `away for ${seconds(milliseconds)} s`,
  act: async ({ ways }) => {
    for (const way of Object.values(ways)) {
      way.state.isDown = true;
      way.state.accepted = 0;
      way.cut();
    }
    await pass(milliseconds);
    const attempts = Object.values(ways).map(({ state }) => state.accepted);
    for (const { state } of Object.values(ways)) state.isDown = false;
    return { attemptsPerSecond: Math.max(...attempts) / (milliseconds / 1_000) };
  },
});

export const cuts = (times: number): Fault => ({
  name: `${times} cuts`,
  act: async ({ ways }) => {
    for (let cut = 0; cut < times; cut++) {
      for (const way of Object.values(ways)) way.cut();
      await pass(250);
    }
    return {};
  },
});

export const freeze = (milliseconds: number): Fault => ({
  name: `worker frozen for ${seconds(milliseconds)} s`,
  act: async ({ worker }) => {
    worker.process.kill('SIGSTOP');
    await pass(milliseconds);
    worker.process.kill('SIGCONT');
    return {};
  },
});

export const killedPostmaster: Fault = {
  name: 'postmaster killed',
  act: async ({ postgres }) => {
    await postgres.killAndRestart();
    return {};
  },
};

export const deadConnections: Fault = {
  name: 'connections dead without an error',
  act: async ({ ways }) => {
    for (const way of Object.values(ways)) way.silence();
    return {};
  },
};

export const lockedTable = (milliseconds: number): Fault => ({
  name: `batches locked for ${seconds(milliseconds)} s`,
  act: async ({ admin }) => {
    const holder = await admin.connect();
    await holder.query('begin; lock table batches in access exclusive mode');
    await pass(milliseconds);
    await holder.query('rollback');
    holder.release();
    return {};
  },
});

export const fullPool = (requests: number): Fault => ({
  name: `${requests} requests at once`,
  act: async ({ client, batchId }) => {
    const refused: number[] = [];
    const call = async () => {
      const sentAt = performance.now();
      const status = await client.status('getBatch', { id: batchId });
      if (status === 503) refused.push((performance.now() - sentAt) / 1_000);
    };
    await Promise.all(Array.from({ length: requests }, call));
    if (refused.length === 0) return {};
    return { refusedSeconds: refused.sort((a, b) => a - b)[Math.floor(0.95 * refused.length)] };
  },
});

export const steppedClocks: Fault = {
  name: 'all clocks step back 2 h',
  act: async ({ clock, client, directory, admin, chat, batchId, worker }) => {
    await client.call('playOrPause', { id: batchId, status: 'pause' });
    await behave(chat.url, { latency: clockMilliseconds });
    const setClocks = async (milliseconds: number) => {
      clock.set(milliseconds);
      await admin.query(`create or replace function jobs.job_now() returns timestamptz
        as $$ select now() + interval '${milliseconds} milliseconds' $$ language sql stable`);
    };
    const step = async (askForEmail: () => Promise<unknown>) => {
      worker.process.kill('SIGSTOP');
      await askForEmail();
      await setClocks(stepBack);
      worker.process.kill('SIGCONT');
    };
    const pause = await pauseAfterStep({ client, directory, step });
    await setClocks(0);
    await behave(chat.url, { latency: usualMilliseconds });
    await client.call('playOrPause', { id: batchId, status: 'play' });
    return pause;
  },
};

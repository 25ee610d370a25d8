import { moveCredits } from '../../src/domains/credits/ledger.ts';
import { checkInvariants, compare, compareEnds } from './compare.ts';
import { Random } from './random.ts';
import { compareWithGateway } from './reference-orders.ts';
import type { SimulatedApp } from './simulated-app.ts';
import { createSimulation, type Simulation } from './simulation-state.ts';
import { startBatch } from './steps/ask-steps.ts';
import { act, actOn, deleteAllWork } from './steps/batch-steps.ts';
import * as engine from './steps/engine-steps.ts';
import * as gateway from './steps/gateway-steps.ts';
import { adjust, give, grant } from './steps/money-steps.ts';
import * as orders from './steps/order-steps.ts';
import { answerWaiting, askPreview, askSinglePrompt } from './steps/waiting-steps.ts';

type Perform = (sim: Simulation, random: Random) => Promise<string | null>;

/** All steps with their weights. */
// The order and weights decide which steps a seed gives.
const steps = {
  start: [10, startBatch],
  preview: [5, askPreview],
  'single prompt': [5, askSinglePrompt],
  play: [5, act('play')],
  pause: [4, act('pause')],
  stop: [3, act('stop')],
  'retry failed': [6, act('retryFailed')],
  delete: [4, act('delete')],
  'delete all work': [1, deleteAllWork],
  lease: [18, engine.lease],
  'store results': [22, engine.storeSome],
  'store results again': [4, engine.storeAgain],
  'abandon slice': [4, engine.abandonSlice],
  'release slice': [16, engine.releaseNext],
  'lease again': [1, engine.leaseAgain],
  'pause by engine': [2, engine.pauseOne],
  'resume after outage': [2, engine.resumeAll],
  answer: [8, answerWaiting],
  grant: [5, grant],
  give: [4, give],
  adjust: [2, adjust],
  order: [5, orders.placeOrder],
  pay: [8, gateway.pay],
  'failed call at the gateway': [3, gateway.failNextCall],
  'forgotten payment at the gateway': [1, gateway.forgetPayment],
  reverse: [6, gateway.reverse],
  'end of a reversal': [4, gateway.endReversal],
  'deliver webhook': [12, orders.deliver],
  'process webhook': [12, orders.processOne],
  confirm: [3, orders.confirm],
  'apply stale snapshot': [4, orders.applyStale],
  reconcile: [1, orders.reconcile],
  resume: [2, orders.resume],
  'decide review': [1, orders.decideOne],
  crash: [1, engine.crash],
  'recover stale prompts': [1, engine.recoverStale],
} as const satisfies Record<string, readonly [number, Perform]>;

type StepName = keyof typeof steps;

/** Each step has its own seed, so it stays the same when earlier steps are dropped. */
export interface PlannedStep {
  name: StepName;
  seed: number;
}

export function planSteps(seed: number, count: number): PlannedStep[] {
  const random = new Random(seed);
  const bag = Object.entries(steps).flatMap(([name, [weight]]) =>
    Array<StepName>(weight).fill(name as StepName),
  );
  return Array.from({ length: count }, () => ({
    name: random.pick(bag) ?? 'grant',
    seed: random.seed(),
  }));
}

export interface WalkEnd {
  /** One line per step. */
  log: string[];
  /** Steps that were possible. */
  done: number;
  failure: { at: number; error: unknown } | null;
}

export interface WalkOptions {
  /** The steps between comparisons with the reference. */
  compareEvery: number;
  /** The steps between ledger checks. */
  invariantsEvery: number;
  /** From this step on both happen after every step. */
  checkEveryStepFrom?: number;
}

/** Takes the steps one after the other with checks in between, then ends all work. */
export async function walk(
  app: SimulatedApp,
  plan: readonly PlannedStep[],
  { compareEvery, invariantsEvery, checkEveryStepFrom = Number.POSITIVE_INFINITY }: WalkOptions,
): Promise<WalkEnd> {
  const sim = await createSimulation(app);
  const end: WalkEnd = { log: [], done: 0, failure: null };
  for (const [at, { name, seed }] of plan.entries()) {
    try {
      const line = await step(sim, { name, seed });
      sim.reference.limitGifts();
      if (line === null) continue;
      end.done++;
      end.log.push(`${at}. ${name} ${line}`);
      if (at >= checkEveryStepFrom || end.done % compareEvery === 0) await compare(sim);
      if (at >= checkEveryStepFrom || end.done % invariantsEvery === 0) await checkInvariants(sim);
    } catch (error) {
      end.log.push(`${at}. ${name}`);
      return { ...end, failure: { at, error } };
    }
  }
  try {
    await endEverything(sim);
  } catch (error) {
    return { ...end, failure: { at: plan.length, error } };
  }
  return end;
}

async function step(sim: Simulation, { name, seed }: PlannedStep): Promise<string | null> {
  const random = new Random(seed);
  sim.app.clock.advance(1 + random.below(20_000));
  const [, perform] = steps[name];
  return perform(sim, random);
}

const plenty = 100_000;

/** Ends all work: everyone gets enough submissions, and the model answers. */
async function endEverything(sim: Simulation): Promise<void> {
  const { app, reference, leased, waiting } = sim;
  const random = new Random(1);
  await endOrders(sim);
  for (const user of reference.users) await grantPlenty(sim, user.id);
  while (waiting.length > 0) await answerWaiting(sim, random);
  for (const batch of reference.visibleBatches().filter(({ state }) => state === 'paused')) {
    const [acting] = batch.owner.actors;
    for (let tries = 0; acting && batch.state === 'paused' && tries < 50; tries++)
      await actOn(sim, random, { name: 'play', batch, acting });
  }
  // A batch paused at the very end is resumed again if the call failed by chance.
  const isPaused = () => reference.visibleBatches().some(({ state }) => state === 'paused');
  for (let idle = 0; idle < 50; ) {
    const isIdle = app.queue.jobs.length === 0 && leased.length === 0;
    if (isIdle && !isPaused()) break;
    idle = isIdle ? idle + 1 : 0;
    await engine.lease(sim, random);
    await engine.storeSome(sim, random);
    await engine.releaseNext(sim, random);
    await resumeEmpty(sim, random);
  }
  await compare(sim);
  await checkInvariants(sim);
  await compareEnds(sim);
}

/** Refreshes every order from its provider, which recovers lost webhooks. */
async function endOrders(sim: Simulation): Promise<void> {
  const { gateway } = sim.app;
  for (const order of sim.reference.orders) {
    await orders.refreshOrder(sim, order);
    const refs = order.payments.map(({ ref }) => ref);
    compareWithGateway(
      order,
      gateway.payments.filter(({ ref }) => refs.includes(ref)),
    );
  }
}

/** Resumes batches that ran out of reserved submissions again. */
async function resumeEmpty(sim: Simulation, random: Random): Promise<void> {
  for (const batch of sim.reference.visibleBatches().filter(({ state }) => state === 'paused')) {
    const [acting] = batch.owner.actors;
    if (acting) await actOn(sim, random, { name: 'play', batch, acting });
  }
}

async function grantPlenty({ app, reference }: Simulation, id: string): Promise<void> {
  await moveCredits(app.ctx, {
    userId: id,
    from: 'external',
    to: 'available',
    amount: plenty,
    cause: 'plenty',
  });
  const user = reference.users.find((known) => known.id === id);
  if (user) reference.grant(user, plenty);
}

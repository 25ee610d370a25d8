import { moveCredits } from '../../src/domains/credits/move-credits.ts';
import { Chance } from './chance.ts';
import { checkInvariants, compare, compareEnds } from './compare.ts';
import { compareWithGateway } from './reference-orders.ts';
import { createScene, type Scene } from './scene.ts';
import type { SimulatedApp } from './simulated-app.ts';
import { startBatch } from './steps/ask-steps.ts';
import { act, actOn, forgetAll } from './steps/batch-steps.ts';
import * as engine from './steps/engine-steps.ts';
import * as gateway from './steps/gateway-steps.ts';
import { adjust, give, grant } from './steps/money-steps.ts';
import * as orders from './steps/order-steps.ts';
import { answerWaiting, askPreview, askQuestion } from './steps/waiting-steps.ts';

type Perform = (scene: Scene, chance: Chance) => Promise<string | null>;

/** Everything that can happen, and how often it does. */
const steps = {
  start: [10, startBatch],
  preview: [5, askPreview],
  question: [5, askQuestion],
  play: [5, act('play')],
  pause: [4, act('pause')],
  stop: [3, act('stop')],
  'retry failed': [6, act('retryFailed')],
  delete: [4, act('delete')],
  'forget all': [1, forgetAll],
  claim: [18, engine.claim],
  settle: [22, engine.settle],
  'settle again': [4, engine.settleAgain],
  'give up': [4, engine.giveUp],
  'lay down': [16, engine.layDown],
  'deliver again': [1, engine.deliverAgain],
  'pause by engine': [2, engine.pauseOne],
  'resume after outage': [2, engine.resumeAll],
  answer: [8, answerWaiting],
  grant: [5, grant],
  give: [4, give],
  adjust: [2, adjust],
  order: [5, orders.order],
  pay: [8, gateway.pay],
  'failNextCall at the gateway': [3, gateway.failNextCall],
  'lapse at the gateway': [1, gateway.lapse],
  reverse: [6, gateway.reverse],
  'end of a reversal': [4, gateway.endReversal],
  'deliver event': [12, orders.deliver],
  'process event': [12, orders.processOne],
  confirm: [3, orders.confirm],
  'settle late': [4, orders.settleLate],
  reconcile: [1, orders.reconcile],
  resume: [2, orders.resume],
  'decide a review': [1, orders.decideOne],
  crash: [1, engine.crash],
  'rescue late': [1, engine.rescueLate],
} as const satisfies Record<string, readonly [number, Perform]>;

type StepName = keyof typeof steps;

/** A step decides by chance of its own, so that those before it can be left out and it is still the same. */
export interface Draw {
  name: StepName;
  seed: number;
}

export function drawSteps(seed: number, count: number): Draw[] {
  const chance = new Chance(seed);
  const bag = Object.entries(steps).flatMap(([name, [weight]]) =>
    Array<StepName>(weight).fill(name as StepName),
  );
  return Array.from({ length: count }, () => ({
    name: chance.pick(bag) ?? 'grant',
    seed: chance.seed(),
  }));
}

export interface WalkEnd {
  /** What happened, a line a step. */
  story: string[];
  /** Steps that could do something. */
  done: number;
  failure: { at: number; error: unknown } | null;
}

export interface Manner {
  /** The product is held against the reference after so many steps. */
  compareEvery: number;
  /** The invariants are looked at after so many steps. */
  invariantsEvery: number;
  /** From this draw on both are done after every step. */
  closelyFrom?: number;
}

/** Takes the steps, one after the other, and holds the product against the reference; at the end everything is ended. */
export async function walk(
  app: SimulatedApp,
  draws: readonly Draw[],
  { compareEvery, invariantsEvery, closelyFrom = Number.POSITIVE_INFINITY }: Manner,
): Promise<WalkEnd> {
  const scene = await createScene(app);
  const end: WalkEnd = { story: [], done: 0, failure: null };
  for (const [at, { name, seed }] of draws.entries()) {
    try {
      const told = await step(scene, { name, seed });
      if (told === null) continue;
      end.done++;
      end.story.push(`${at}. ${name} ${told}`);
      if (at >= closelyFrom || end.done % compareEvery === 0) await compare(scene);
      if (at >= closelyFrom || end.done % invariantsEvery === 0) await checkInvariants(scene);
    } catch (error) {
      end.story.push(`${at}. ${name}`);
      return { ...end, failure: { at, error } };
    }
  }
  try {
    await endEverything(scene);
  } catch (error) {
    return { ...end, failure: { at: draws.length, error } };
  }
  return end;
}

async function step(scene: Scene, { name, seed }: Draw): Promise<string | null> {
  const chance = new Chance(seed);
  scene.app.clock.advance(1 + chance.below(20_000));
  const [, perform] = steps[name];
  return perform(scene, chance);
}

const fortune = 100_000;

/** With submissions enough, and a provider that answers, everything comes to its end. */
async function endEverything(scene: Scene): Promise<void> {
  const { app, reference, hand, waiting } = scene;
  const chance = new Chance(1);
  await endOrders(scene);
  for (const person of reference.people) await grantFortune(scene, person.id);
  while (waiting.length > 0) await answerWaiting(scene, chance);
  for (const batch of reference.shown().filter(({ state }) => state === 'paused')) {
    const [acting] = batch.owner.actings;
    for (let tries = 0; acting && batch.state === 'paused' && tries < 50; tries++)
      await actOn(scene, chance, { name: 'play', batch, acting });
  }
  while (app.queue.jobs.length > 0 || hand.length > 0) {
    await engine.claim(scene, chance);
    await engine.settle(scene, chance);
    await engine.layDown(scene, chance);
    await playDry(scene, chance);
  }
  await compare(scene);
  await checkInvariants(scene);
  await compareEnds(scene);
}

/** Whatever was lost on the way, a look at every order brings it to what the providers say. */
async function endOrders(scene: Scene): Promise<void> {
  const { gateway } = scene.app;
  for (const order of scene.reference.orders) {
    await orders.lookAt(scene, order);
    const refs = order.payments.map(({ ref }) => ref);
    compareWithGateway(
      order,
      gateway.payments.filter(({ ref }) => refs.includes(ref)),
    );
  }
}

/** What was begun with too little waits once more when that is used up. */
async function playDry(scene: Scene, chance: Chance): Promise<void> {
  for (const batch of scene.reference.shown().filter(({ state }) => state === 'paused')) {
    const [acting] = batch.owner.actings;
    if (acting) await actOn(scene, chance, { name: 'play', batch, acting });
  }
}

async function grantFortune({ app, reference }: Scene, id: string): Promise<void> {
  await moveCredits(app.ctx, {
    userId: id,
    from: 'external',
    to: 'available',
    amount: fortune,
    cause: 'fortune',
  });
  const person = reference.people.find((known) => known.id === id);
  if (person) reference.grant(person, fortune);
}

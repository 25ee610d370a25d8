import { type AnswerMark, compileTemplate, type Output } from '@rowmill/contract';
import type { MarkedBatch } from '../../server/src/domains/batches/marks/answer-marker.ts';
import type { Material } from './material.ts';

export interface LabelledAnswer {
  row: number;
  prompt: string;
  answer: string;
  /** What is wrong with it; null for a good answer. */
  label: AnswerMark | null;
}

export interface LabelledBatch {
  batch: MarkedBatch;
  answers: LabelledAnswer[];
}

/** Not `randomFrom` of the fakes: docs/performance.md states figures of the set that this makes. */
function setRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const names =
  'Arbory,Ballaugh,Cregneash,Dalby,Eairy,Foxdale,Glen Maye,Hillberry,Jurby,Kirk Michael,Laxey,Maughold,Niarbyl,Onchan,Patrick,Ramsey,Santon,Tynwald,Union Mills,West Baldwin'.split(
    ',',
  );
const rowsPerBatch = 50;
const rowsPerList = 84;

type Row = Pick<LabelledAnswer, 'answer' | 'label'>;

/** About a thousand answers in batches, from one half of the material. */
export function labelledSet(material: Material, seed: number): LabelledBatch[] {
  const random = setRandom(seed);
  const languages = Object.keys(material.sentences);
  return [
    ...languages.map((language) => proseBatch(material, language, random)),
    ...material.named.map((named) => namedBatch(material, named, random)),
    ...material.lists.map((list) => listBatch(material, list, random)),
    ...Object.entries(material.hard).map((task) => hardBatch(task, random)),
  ];
}

interface Plan {
  prompt: string;
  outputs?: Output[];
  rows: (prompt: (name: string) => string, name: (row: number) => string) => Row[];
}

let batches = 0;

function make(random: Random, { prompt, outputs = [], rows }: Plan): LabelledBatch {
  const template = compileTemplate(prompt, { columns: ['Name'] });
  const fill = (name: string) => template.fill([name], 100_000) ?? '';
  const nameOf = (row: number) => `${names[row % names.length]} ${row + 1}`;
  const made = rows(fill, nameOf);
  const order = made.map((_, index) => index).sort(() => random() - 0.5);
  const answers = order.map((index) => {
    const { answer, label } = made[index] as Row;
    return { row: index, prompt: fill(nameOf(index)), answer, label };
  });
  const batch = { batchId: `b${batches++}`, model: 'm', fixedParts: template.fixedParts, outputs };
  return { batch, answers };
}

/** Good answers of two sentences, no pair twice. */
function pairs(sentences: readonly string[], random: Random): string[] {
  const found = sentences.flatMap((one, index) =>
    sentences.slice(index + 1).map((other) => (random() < 0.5 ? [one, other] : [other, one])),
  );
  return found.sort(() => random() - 0.5).map((pair) => pair.join(' '));
}

function faults(material: Material, language: string, random: Random): Row[] {
  const good = pairs(material.sentences[language] ?? [], random);
  const refusals = material.refusals[language] ?? [];
  const others = Object.keys(material.sentences).filter((other) => other !== language);
  const otherLanguage = pick(random, others);
  const foreign = pairs(material.sentences[otherLanguage] ?? [], random);
  return [
    ...refusals.slice(0, 3).map((answer): Row => ({ answer, label: 'refusal' })),
    ...foreign.slice(0, 2).map((answer): Row => ({ answer, label: 'other_language' })),
    ...good.slice(0, 2).map((answer): Row => ({ answer: cut(answer, random), label: 'cut_off' })),
    { answer: pick(random, material.empty), label: 'empty' },
  ];
}

/** Stops in the middle of the second sentence. */
function cut(answer: string, random: Random): string {
  const second = answer.search(/[.。][\s\S]/) + 2;
  const rest = answer.slice(second);
  if (!rest.includes(' '))
    return answer.slice(0, second + Math.ceil(rest.length * (0.4 + random() * 0.4)));
  const words = rest.split(' ');
  const kept = Math.max(3, Math.floor(words.length * (0.4 + random() * 0.5)));
  return answer.slice(0, second) + words.slice(0, Math.min(kept, words.length - 1)).join(' ');
}

function proseBatch(material: Material, language: string, random: Random): LabelledBatch {
  const prompt = material.prompts[language] ?? '';
  return make(random, {
    prompt,
    rows(fill, name) {
      const good = pairs(material.sentences[language] ?? [], random);
      const bad = faults(material, language, random);
      const sentences = material.sentences[language] ?? [];
      bad.push({
        answer: [...sentences, ...sentences.toReversed()].join(' '),
        label: 'unusual_length',
      });
      bad.push({ answer: fill(name(bad.length)), label: 'echo' });
      bad.push({ answer: `${fill(name(bad.length))}\n\n${good[44]}`, label: 'echo' });
      if (language === 'en') {
        for (const answer of material.placeholders.slice(0, 6))
          bad.push({ answer, label: 'placeholder' });
        const generic = pick(random, material.generic);
        for (let at = 0; at < 6; at++)
          bad.push({
            answer: generic.replace('{name}', name(bad.length)),
            label: 'nearly_identical',
          });
      }
      const clean = good.slice(0, rowsPerBatch - bad.length);
      return [...bad, ...clean.map((answer) => ({ answer, label: null }))];
    },
  });
}

function namedBatch(
  material: Material,
  { prompt, language }: Material['named'][number],
  random: Random,
): LabelledBatch {
  return make(random, {
    prompt,
    rows() {
      const good = pairs(material.sentences[language] ?? [], random);
      const bad = faults(material, language, random);
      for (const answer of material.placeholders.slice(6)) {
        // In another language they would get two labels.
        if (language === 'en') bad.push({ answer, label: 'placeholder' });
      }
      const clean = good.slice(0, rowsPerBatch - bad.length);
      return [...bad, ...clean.map((answer) => ({ answer, label: null }))];
    },
  });
}

function listBatch(
  material: Material,
  { options, near }: Material['lists'][number],
  random: Random,
): LabelledBatch {
  const outputs: Output[] = [{ name: 'kind', type: 'choice', options: [...options] }, 'reason'];
  const reasons = pairs(material.sentences.en ?? [], random);
  const json = (kind: string, at: number) =>
    JSON.stringify({ kind, reason: reasons[at % reasons.length] });
  return make(random, {
    prompt: 'Sort the message of {{Name}} into one kind and say why.',
    outputs,
    rows: () =>
      Array.from({ length: rowsPerList }, (_, at): Row => {
        const isNear = at < near.length * 2;
        const kind = isNear ? (near[at % near.length] ?? '') : pick(random, options);
        return { answer: json(kind, at), label: isNear ? 'off_list' : null };
      }),
  });
}

/** Good answers of a task that look like something else. Four equal ones are not yet many. */
const equalAnswers = 4;

function hardBatch([prompt, answers]: [string, readonly string[]], random: Random): LabelledBatch {
  const rows = () =>
    Array.from({ length: equalAnswers }, () => answers)
      .flat()
      .map((answer) => ({ answer, label: null }));
  return make(random, { prompt, rows });
}

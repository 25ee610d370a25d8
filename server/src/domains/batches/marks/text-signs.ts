import { normalised } from '@rowmill/contract';
import { readWords, type Words } from './words.ts';

/** Signs in the text of an answer. Each looks at a bounded part, and every expression is linear. */
const start = 4_000;
const end = 1_000;

/** Letters, digits and pictures; punctuation, quotes and invisible signs are not content. */
const content = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Sc}\u2713-\u2718]/u;

export function isEmpty(answer: string): boolean {
  return (
    !content.test(answer.slice(0, start).replace(/```[\w-]{0,20}/g, '')) &&
    !content.test(answer.slice(start))
  );
}

const sentenceEnd = /[.!?…。！？؟।][)"'”’»」』*_\]]{0,3}(?:\s|$)|[。！？]/u;
/** The last sign of a text that is complete. */
const complete =
  /[.!?…。！？؟।:;)\]}>"'”’»」』*_`~|%°€$£#=/\\\p{N}\p{Extended_Pictographic}]\ufe0f?$/u;
/** Words that end no sentence. */
const unfinished =
  /(?:^|\s)(?:the|a|an|of|and|or|to|in|with|for|is|are|that|which|its|by|und|oder|der|die|das|ein|eine|mit|für|von|zu|ist|dass|et|ou|le|la|les|des|du|un|une|avec|pour|est|que|y|el|los|las|con|para|es|e|il|di|che|per|è|o|os|um|uma|com|não|en|het|een|van|och|att|som|med|og|at|af|i|w|z|że|dla|a|v|na|se|pro|и|в|на|с|что|для)$/u;
const shortestCut = 40;
const shortestLine = 60;

/** Whether a text stops in the middle, although the provider does not say so. */
export function isCutOff(answer: string): boolean {
  const text = answer.slice(-end).trimEnd();
  if (text === '') return false;
  if (hasOpenFence(answer) || hasOpenBracket(answer)) return true;
  const isUnspaced = /[\u3040-\u9fff]/.test(text);
  if (answer.length < (isUnspaced ? 20 : shortestCut) || complete.test(text)) return false;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  if (/^\s*(?:[-*•–]|\d{1,3}[.)])\s/.test(line) && !sentenceEnd.test(line.slice(4))) return false;
  const words = line.toLowerCase();
  if (/[,(\u3001，]$/.test(line) || unfinished.test(words)) return line.length >= shortestCut;
  return line.length >= (isUnspaced ? 20 : shortestLine) && sentenceEnd.test(line);
}

/** A block of code that is not closed. */
function hasOpenFence(answer: string): boolean {
  if (answer.length > 4 * start) return false;
  return (answer.match(/^\s{0,3}```/gm)?.length ?? 0) % 2 === 1;
}

/** A value of JSON that is not closed. */
function hasOpenBracket(answer: string): boolean {
  const first = answer.trimStart().slice(0, 2);
  return (
    /^(?:\{\s?"|\{\n|\[\s?[{["])/.test(first.padEnd(2)) && !/[}\]`]\s*$/.test(answer.slice(-20))
  );
}

/** Words, in several languages, that fill the brackets of a placeholder. */
const gap =
  /^(?:(?:your|insert|enter|add|the|recipient'?s?|customer'?s?|client'?s?|company'?s?|sender'?s?|candidate'?s?|ihr|ihre|dein|deine|ihren|votre|vos|su|tu|il tuo|la tua|seu|sua|uw|jouw|ditt|din|wstaw|twoje|vložte|vaše|ваш|ваше|вставьте|укажите)\s.{1,50}|.{0,40}\b(?:einfügen|eintragen|insérer|à compléter|insertar|inserire|inserir|invoegen|infoga|indsæt|sett inn|wstaw|vložit|вставить|here|hier)|(?:[\p{L}’']{2,20}[ _-]){0,3}(?:name|title|date|number|address|company|product|email|e-mail|phone|city|price|amount|url|link|website|signature|location|position|time|date of birth|details|recipient|customer|client|id|logo|topic)|vorname|nachname|firma|firmenname|unternehmen|datum|adresse|anschrift|produkt|produktname|telefonnummer|ansprechpartner|unterschrift|ort|betrag|preis|kundenname|kunde|nom|prénom|entreprise|société|nom de l'entreprise|nom du client|nom du produit|adresse|téléphone|ville|montant|prix|signature|nombre|nombre del cliente|nombre de la empresa|apellido|empresa|fecha|dirección|producto|teléfono|ciudad|precio|firma|nome|cognome|nome azienda|azienda|data|indirizzo|prodotto|telefono|città|prezzo|sobrenome|endereço|produto|telefone|cidade|preço|naam|voornaam|achternaam|bedrijf|bedrijfsnaam|adres|stad|prijs|namn|företag|adress|telefon|navn|virksomhed|bedrift|imię|nazwisko|imię i nazwisko|nazwa firmy|nazwa produktu|adres|numer telefonu|miasto|cena|kwota|jméno|příjmení|název firmy|název produktu|имя|фамилия|название компании|компания|дата|адрес|телефон|город|цена|ім'я|назва компанії|名前|お名前|会社名|日付|商品名|姓名|公司名称|日期|产品名称|이름|회사명|날짜)$/iu;

const inBraces =
  /\{\{[^{}\n]{1,80}\}\}|(?<![\\$\w{])\{[\p{L}][\p{L}\p{N}_ ]{1,38}\}(?!\s?[:=,({])/gu;
const inSquares = /(?<![\p{L}\p{N}\]!])\[([^[\]\n(){}]{2,60})\](?![([:])/gu;
const inAngles =
  /<(?=(?:your|insert|enter|name|company|product|date)\b)[^<>/="]{3,50}>|%%[A-Z_]{2,30}%%|\bX{4,}\b|_{5,}/gi;
const code = /```[^`]{0,4000}```|`[^`\n]{1,200}`/g;

/** Whether an answer has a placeholder that its prompt has not. */
export function hasPlaceholder(answer: string, prompt: () => string): boolean {
  const text = answer.length <= start + end ? answer : answer.slice(0, start) + answer.slice(-end);
  if (!/[[{<%_]|X{4}/i.test(text)) return false;
  const prose = text.replace(code, ' ').trim();
  // In JSON and code, braces mean something else.
  const isData = /^[[{]/.test(prose) && /[\]}]$/.test(prose) && prose.includes('"');
  const found = [
    ...(isData ? [] : prose.matchAll(inBraces)),
    ...[...prose.matchAll(inSquares)].filter(([, inside = '']) => gap.test(inside.trim())),
    ...prose.matchAll(inAngles),
  ].map(([whole]) => whole);
  if (found.length === 0) return false;
  const asked = prompt().toLowerCase();
  return found.some((whole) => !asked.includes(whole.toLowerCase()));
}

const chunkLength = 14;
const longestRead = 2_000;

/** A text without case, punctuation and spaces at its ends, to compare by. */
function comparable(text: string): string {
  return normalised(text.slice(0, longestRead), 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Pieces of a text that are searched in others. */
function chunksOf(text: string): string[] {
  const read = comparable(text);
  // Scripts without spaces say as much in fewer signs.
  const length = /[\u3040-\u9fff\uac00-\ud7af]/.test(read) ? 5 : chunkLength;
  const chunks: string[] = [];
  for (let at = 0; at + length <= read.length; at += length)
    chunks.push(read.slice(at, at + length));
  return chunks;
}

/** The answer repeats too much of the instruction to be a coincidence. */
const echoedShare = 0.7;
const fewestChunks = 3;

/** What the prompt says in every row. */
export type Instruction = ReturnType<typeof instructionOf>;

export function instructionOf(fixedParts: readonly string[]) {
  return { chunks: fixedParts.flatMap(chunksOf), words: firstWords(fixedParts.join(' ')) };
}

/** An echo has at least this share of the first words, so most answers are not compared. */
const fewestWords = 0.4;
const firstCharacters = 300;

const firstWords = (text: string): ReadonlySet<number> =>
  new Set(readWords(text.slice(0, firstCharacters)).hashes);

function mayEcho({ hashes }: Words, asked: ReadonlySet<number>): boolean {
  const found = new Set<number>();
  for (const hash of hashes) if (asked.has(hash)) found.add(hash);
  return found.size >= asked.size * fewestWords;
}

interface Echo {
  words: Words;
  instruction: Instruction;
  prompt: () => string;
}

/** Whether an answer repeats what the prompt says in every row, or the whole prompt. */
export function isEcho(answer: string, { words, instruction, prompt }: Echo): boolean {
  const { chunks } = instruction;
  if (chunks.length >= fewestChunks)
    return mayEcho(words, instruction.words) && echoes(comparable(answer), chunks);
  const asked = prompt();
  const askedWords = firstWords(asked);
  if (!mayEcho(words, askedWords)) return false;
  // A short prompt is compared as a whole, and most answers that name it have other words too.
  if (isShort(asked) && words.hashes.some((hash) => !askedWords.has(hash))) return false;
  const text = comparable(answer);
  const own = comparable(asked);
  if (isShort(own)) return text === own && own.length >= 20;
  return text.includes(own) || echoes(text, chunksOf(own).slice(0, 40));
}

const isShort = (text: string) =>
  text.length < fewestChunks * chunkLength && !/[\u3040-\u9fff]{12}/.test(text);

function echoes(text: string, chunks: readonly string[]): boolean {
  const found = chunks.filter((chunk) => text.includes(chunk)).length;
  return chunks.length >= fewestChunks && found >= chunks.length * echoedShare;
}

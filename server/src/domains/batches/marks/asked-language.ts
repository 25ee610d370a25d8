import { detectLanguage } from './language.ts';
import { areAlike } from './language-words.ts';

/** The names of languages in the languages that prompts are mostly written in, and in their own. */
const names: Readonly<Record<string, string>> = {
  en: 'english englisch anglais inglés ingles inglese inglês engels engelska engelsk angielski angielsku anglicky английский английском английски 英語 英语 英文 영어 ingilizce englanti englanniksi engleză angol angolul',
  de: 'german deutsch deutsche deutscher allemand alemán aleman tedesco alemão duits tyska tysk niemiecki niemiecku německy немецкий немецком ドイツ語 德语 德文 독일어 almanca saksa saksaksi germană német németül',
  fr: 'french französisch français francais francés frances francese francês frans franska fransk francuski francusku francouzsky французский французском フランス語 法语 法文 프랑스어 fransızca ranska ranskaksi franceză francia franciául',
  es: 'spanish spanisch espagnol español espanol castellano spagnolo espanhol spaans spanska spansk hiszpański hiszpańsku španělsky испанский испанском スペイン語 西班牙语 스페인어 ispanyolca espanja espanjaksi spaniolă spanyol spanyolul',
  it: 'italian italienisch italien italiano italiaans italienska italiensk włoski włosku italsky итальянский итальянском イタリア語 意大利语 이탈리아어 italyanca italia italiaksi italiană olasz olaszul',
  pt: 'portuguese portugiesisch portugais portugués portoghese português portugues portugees portugisiska portugisisk portugalski portugalsku portugalsky португальский португальском ポルトガル語 葡萄牙语 포르투갈어 portekizce',
  nl: 'dutch niederländisch holländisch néerlandais neerlandais neerlandés holandés olandese nederlands holandês nederländska hollandsk nederlandsk niderlandzki niderlandzku nizozemsky нидерландский オランダ語 荷兰语 네덜란드어 felemenkçe',
  pl: 'polish polnisch polonais polaco polacco pools polska polsk polski polsku polsky польский польском ポーランド語 波兰语 폴란드어 lehçe',
  sv: 'swedish schwedisch suédois sueco svedese zweeds svenska svensk szwedzki szwedzku švédsky шведский スウェーデン語 瑞典语 스웨덴어 isveççe',
  da: 'danish dänisch danois danés danese dinamarquês deens danska dansk duński dánsky датский デンマーク語 丹麦语 덴마크어',
  no: 'norwegian norwegisch norvégien noruego norvegese norueguês noors norska norsk norweski norsky норвежский ノルウェー語 挪威语 노르웨이어',
  fi: 'finnish finnisch finnois finlandés finlandese finlandês fins finska finsk fiński finsky финский suomi suomeksi フィンランド語 芬兰语 핀란드어',
  cs: 'czech tschechisch tchèque checo ceco tcheco tsjechisch tjeckiska tjekkisk czeski česky чешский チェコ語 捷克语 체코어',
  hu: 'hungarian ungarisch hongrois húngaro ungherese hongaars ungerska magyar magyarul węgierski maďarsky венгерский ハンガリー語 匈牙利语',
  ro: 'romanian rumänisch roumain rumano rumeno romeno roemeens rumänska română rumuński rumunsky румынский ルーマニア語 罗马尼亚语',
  tr: 'turkish türkisch turc turco turks turkiska türkçe turecki turecky турецкий トルコ語 土耳其语 터키어',
  ru: 'russian russisch russe ruso russo ryska russisk rosyjski rosyjsku rusky русский русском русски ロシア語 俄语 러시아어 rusça',
  uk: 'ukrainian ukrainisch ukrainien ucraniano ucraino oekraïens ukrainska ukraiński українська українською украинский ウクライナ語 乌克兰语',
  ja: 'japanese japanisch japonais japonés giapponese japonês japans japanska japansk japoński japonsky японский 日本語 日语 日文 일본어 japonca',
  zh: 'chinese chinesisch mandarin chinois chino cinese chinês chinees kinesiska kinesisk chiński čínsky китайский 中国語 中文 汉语 简体中文 繁體中文 중국어 çince',
  ko: 'korean koreanisch coréen coreano koreaans koreanska koreansk koreański korejsky корейский 韓国語 韩语 한국어 korece',
  ar: 'arabic arabisch arabe árabe arabo arabiska arabisk arabski arabsky арабский العربية アラビア語 阿拉伯语 아랍어 arapça',
  hi: 'hindi हिन्दी हिंदी',
  el: 'greek griechisch grec griego greco grego grieks grekiska græsk gresk grecki řecky греческий ελληνικά',
  id: 'indonesian indonesisch indonésien indonesio indonesiano bahasa',
  vi: 'vietnamese vietnamesisch vietnamien vietnamita việt',
  heb: 'hebrew hebräisch hébreu hebreo ebraico עברית',
};
/** German declines its names: ins Englische. */
function formsOf(name: string): string[] {
  return name.endsWith('sch') ? [name, `${name}e`, `${name}en`, `${name}er`, `${name}es`] : [name];
}

const languageNamed = new Map(
  Object.entries(names).flatMap(([language, list]) =>
    list.split(' ').flatMap((name) => formsOf(name).map((form) => [form, language] as const)),
  ),
);
/** Names in languages that are written without spaces. */
const unspacedNames = [...languageNamed.keys()].filter((name) => /[\u3040-\u9fff]/.test(name));

/** A name after one of these is the language to answer in. */
const before = new Set('in into to auf ins en em al à naar på til po na w do ke'.split(' '));
/** "The review is in German" describes the row. */
const describes = new Set(
  'is are was were written text texts review reviews ist sind geschrieben verfasst est sont écrit écrits está escrito è scritto'.split(
    ' ',
  ),
);
const readCharacters = 4_000;

/** The languages that a prompt names: those to answer in, and others. */
export function namedLanguages(prompt: string): { wanted: Set<string>; other: Set<string> } {
  const text = prompt.slice(0, readCharacters).toLowerCase();
  const wanted = new Set<string>();
  const other = new Set<string>();
  const words = [...text.matchAll(/[\p{L}\p{M}’]+/gu)].map(([word]) => word);
  for (const [index, word] of words.entries()) {
    const language = languageNamed.get(word);
    if (!language) continue;
    const at = [index - 1, index - 2].find((near) => before.has(words[near] ?? ''));
    const isWanted = at !== undefined && !describes.has(words[at - 1] ?? '');
    (isWanted ? wanted : other).add(language);
  }
  for (const name of unspacedNames) {
    const at = text.indexOf(name);
    if (at < 0) continue;
    const follows = text.slice(at + name.length, at + name.length + 2);
    const isWanted =
      /^[でに]/.test(follows) || /[用成为]$/.test(text.slice(Math.max(0, at - 2), at));
    (isWanted ? wanted : other).add(languageNamed.get(name) ?? '');
  }
  return { wanted, other };
}

/** A prompt for a translation names its language, perhaps in a column. */
const translation =
  /translat|übersetz|traduc|traduz|traduis|traduire|tradurre|vertaal|vertal|översätt|oversæt|oversett|käännä|přelož|przetłumacz|tłumacz|перевед|перевод|переклад|翻訳|翻译|번역|çevir|fordíts|terjemah|dịch/i;

/** The languages that the fixed text of a prompt asks for; null when it leaves that open. */
export function askedLanguages(instruction: string): ReadonlySet<string> | null {
  const { wanted, other } = namedLanguages(instruction);
  if (wanted.size > 0) return wanted;
  if (other.size > 0 || translation.test(instruction.slice(0, readCharacters))) return null;
  const own = detectLanguage(instruction);
  return own === null ? null : new Set([own]);
}

interface Answered {
  /** The language of the answer. */
  language: string | null;
  asked: ReadonlySet<string> | null;
  /** The fixed text of the prompt names the language to answer in. */
  isExplicit: boolean;
  /** The whole prompt of the row, and what its columns added. */
  prompt: () => string;
  cells: () => string;
}

/** Whether an answer is in a language that neither the prompt nor its row is in or names. */
export function isOtherLanguage({ language, asked, isExplicit, ...row }: Answered): boolean {
  if (language === null || asked === null) return false;
  if ([...asked].some((one) => areAlike(one, language))) return false;
  if (isExplicit) return true;
  const { wanted, other } = namedLanguages(row.prompt());
  if ([...wanted, ...other].some((one) => areAlike(one, language))) return false;
  const own = detectLanguage(row.cells());
  return own === null || !areAlike(own, language);
}

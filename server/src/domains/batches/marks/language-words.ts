/** The commonest words of languages that share a script. They tell the language of a text. */
export const commonWords: Readonly<Record<string, string>> = {
  en: 'the of and to in is that it for was with as on be at by this had not are but from or have an they which you were all their there been if more when will would who so no can has said do its about into than them only other time some could these may then such after also your our you my we how what where why each very much made makes just over most even great perfect any',
  de: 'der die und das ist in den von zu mit sich des auf für nicht ein eine einem einen einer als auch es an werden aus er hat dass sie nach wird bei um am sind noch wie im über so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sehr wenn kann ich wir ihr unser ihre ihren dieser diese dieses sowie keine alle sehr schon damit',
  nl: 'de het een en van in is dat op te zijn met voor niet die aan er om ook als maar bij uit door naar wordt nog dan over heeft deze hebben worden kan geen meer of tot ze hij wij je uw dit werd zeer onze ik zo wel veel alle tegen tussen goed waar',
  fr: 'le la les des de du et en un une est que pour dans qui sur pas au aux avec ne ce se il elle plus par sont cette son sa ses ont mais nous vous comme ou été leur être fait tout aussi très ces même sans deux bien peut cet entre après donc leurs chez nos votre notre je suis',
  es: 'el la los las de del y en que un una es por con para no se su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde nos durante todos uno les ni contra otros ese eso ante ellos son fue está han ser tiene nuestro nuestra puede',
  pt: 'o a os as de do da dos das e em que um uma é para com não no na nos nas se por mais como mas foi ao ele sua ou ser quando muito há já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem são este nosso nossa você pode uma tem à',
  it: 'il lo la i gli le di del della dei delle e in che un una è per con non si da al alla nel nella sono più come ma anche dal dalla o se questo questa molto su ha sul sulla ci tra ed essere suo sua loro ai hanno stato dove quando tutti ogni senza perché nostro nostra può degli alle',
  ca: 'el la els les de del dels i en que un una és per amb no es al als com més però seva seu també aquest aquesta molt són o sense entre quan ha hi fins on tot tots pot ser va han nostre perquè des cada',
  ro: 'și de la în a cu pe un o este care nu se din pentru sunt mai ca că al ale sau au fost lui prin dar acest această foarte fi după el ea ei lor nostru noastră poate unei unui fără până când toate între iar îi îl',
  sv: 'och att det i en som är på av för med den till inte har om ett de var jag men han så sig från kan vi när eller ut nu efter också hon bara mot ska skulle hade sin mycket över alla detta vara blir varit mer än utan dem dessa vår våra är',
  da: 'og at det i en som er på af for med den til ikke har om et de var jeg men han så sig fra kan vi når eller ud nu efter også hun kun mod skal skulle havde sin meget over alle dette være bliver været mere end uden dem disse vores hvis hvor blev',
  no: 'og at det i en som er på av for med den til ikke har om et de var jeg men han så seg fra kan vi når eller ut nå etter også hun bare mot skal skulle hadde sin mye over alle dette være blir vært mer enn uten dem disse våre hvis hvor ble',
  fi: 'ja on ei se että oli hän mutta ovat joka myös kun niin kuin tai sen ole voi olla jos vain sekä ollut ne tämä mukaan hyvin kuten jotka sitä kaikki vielä minä mitä jo tämän hänen siitä siinä koko kanssa sekä erittäin meidän teidän en olen',
  et: 'ja on ei et see oli ta kui mis aga ka või ning siis seda kes nii mida oma ma veel nagu juba kõik väga selle ole olla pole saab meie teie ainult pärast kuid',
  lv: 'un ir ka no par ar tas nav bet uz arī kas tika kā vai tā to pie šis lai jau tikai ļoti vairāk mūsu jūsu kur pēc viņš viņa būt var es mēs šo ne',
  lt: 'ir yra kad iš su tai bet ne į kaip nuo jis buvo ar per už dar tik labai gali mūsų jūsų kuris kuri po prie aš mes jau būti apie arba taip šis ši jo jos',
  pl: 'w i na z do nie to że jest się o jak po od za dla co są ale przez przy tego tej oraz tym być tak jego jej był była ich może który która które już ze bardzo tylko czy ma pod lub nas nasz nasze wszystkie także',
  cs: 'a v je na se že s z do o to i k ve pro jsem byl jak ale po za by od jako jsou který která které nebo už být když pouze také při jeho této tak velmi jen až může ze si není naše náš vaše jste pokud',
  sk: 'a v je na sa že s z do o to aj k vo pre som bol ako ale po za by od sú ktorý ktorá ktoré alebo už byť keď iba tiež pri jeho tejto tak veľmi len až môže zo si nie naša náš vaše ste ak',
  sl: 'in je v na da se za so z ki pa kot bi ne tudi po od do s še lahko pri ali ter o kar bil bila več samo naš naša zelo kako biti ni iz ta to vse ko',
  hr: 'i je u na se da su za od s ne koji koja koje kao što to sa ili bi biti ali iz po o samo već može vrlo kako nije svi naš naša još te smo ima bez prema također nakon',
  hu: 'a az és hogy nem is egy ez volt meg de csak el már még van mint vagy ki lehet azt nagyon minden amely akkor kell ezt ha mert sem után között fel nincs több így egyik akik mi az aki lesz',
  tr: 've bir bu da de için ile çok olarak daha gibi en olan ne kadar sonra var ama o mi ancak ya değil ise veya hem tarafından göre bunu biz ben siz şey olduğu olduğunu bizim sadece yok bütün',
  vi: 'và của là có trong cho được không các một với những người đã này từ khi đến về để cũng như ra sẽ tại vào trên nhiều hơn rất bạn tôi chúng theo nhưng thì phải sau còn hay',
  id: 'yang dan di itu dengan untuk tidak ini dari dalam akan pada juga ke karena ada bisa oleh saya kami anda atau seperti sudah lebih adalah sangat dapat telah kita mereka hanya setiap para tersebut bagi namun',
  sw: 'na ya wa kwa ni katika za la kuwa hii si kama hiyo cha au lakini pia sana hakuna yake yao wao mimi sisi wewe kutoka zaidi bila hadi ambayo hivyo',
  tl: 'ang ng sa na mga ay at ito para hindi ko mo siya kung may ni si nang kanyang isang lang din rin namin natin kayo ako',
  ru: 'и в не на что он с как это по но из у за от так о же вы для мы бы все был его до или при если также который которая которые есть может очень только уже более чтобы этот эта эти наш наша были ещё к быть является я',
  uk: 'і в не на що він з як це по але із у за від так про й ви для ми б все був його до або при якщо також який яка які є може дуже тільки вже більш щоб цей ця ці наш наша були ще та та бути я або',
  bg: 'и в не на че той с как това по но от у за до така или при ако също който която които е може много само вече повече за да този тази тези наш нашата са още към бъде аз се ще със като',
  sr: 'и је у на се да су за од с не који која које као што то са или би бити али из по о само већ може врло како није сви наш наша још те смо има без',
  ar: 'في من على أن إلى عن التي الذي هذا هذه مع كان ما لا أو كل بعد قد بين ذلك كما هو هي لم عند حتى إذا غير أنا نحن يمكن جدا',
  fa: 'و در به از که این را با است برای آن یک خود تا کرد بر هم نیز می شود شد ما شما من بود اما یا هر دارد بسیار نیست ها',
  ur: 'کے کی میں ہے اور سے کا کو پر نے یہ ہیں بھی نہیں کہ تھا ہو جو اس ایک کر لیے وہ ہم آپ ان ساتھ بہت',
};

/** Words that prompts begin with. */
export const promptWords: Readonly<Record<string, string>> = {
  en: 'write describe summarise summarize translate classify explain extract answer give list',
  de: 'schreibe schreib schreiben beschreibe beschreiben fasse erkläre erstelle erstellen nenne nennen beantworte gib übersetze ordne formuliere',
  nl: 'schrijf beschrijf vertaal noem leg maak beantwoord vat',
  fr: 'écris écrivez décris décrivez résume résumez traduis traduisez explique expliquez donne donnez rédige rédigez',
  es: 'escribe escriba describe describa resume resuma traduce traduzca explica explique redacta clasifica',
  pt: 'escreva escreve descreva descreve resuma traduza explique redija classifique',
  it: 'scrivi scriva descrivi descriva riassumi traduci spiega elenca classifica',
  ro: 'scrie scrieți descrie descrieți rezumă traduce explică',
  sv: 'skriv beskriv sammanfatta översätt förklara ange svara',
  da: 'skriv beskriv opsummer oversæt forklar angiv svar',
  no: 'skriv beskriv oppsummer oversett forklar angi svar',
  fi: 'kirjoita kuvaile tiivistä käännä selitä vastaa anna',
  pl: 'napisz opisz streść przetłumacz wyjaśnij podaj wymień odpowiedz sklasyfikuj',
  cs: 'napiš napište popiš popište shrň shrňte přelož přeložte vysvětli uveď uveďte',
  sk: 'napíš napíšte opíš opíšte zhrň preložte vysvetli uveď',
  hu: 'írj írjon írd foglald fordítsd magyarázd sorolja adj válaszolj',
  tr: 'yaz yazın açıkla açıklayın özetle özetleyin çevir çevirin anlat tanımla sınıflandır',
  ru: 'напиши напишите опиши опишите переведи переведите объясни объясните перечисли ответь назови резюмируй кратко',
  uk: 'напиши напишіть опиши опишіть переклади перекладіть поясни поясніть перелічи назви стисло',
};

/** Letters that only one language of its script has, or very nearly. */
export const ownLetters: readonly (readonly [letters: string, language: string])[] = [
  ['ß', 'de'],
  ['æø', 'da'],
  ['ñ¿¡', 'es'],
  ['ãõ', 'pt'],
  ['łśźż', 'pl'],
  ['řůě', 'cs'],
  ['ľĺŕ', 'sk'],
  ['őű', 'hu'],
  ['ğı', 'tr'],
  ['țș', 'ro'],
  ['ķļņģ', 'lv'],
  ['ėųį', 'lt'],
  ['іїєґ', 'uk'],
  ['ыэё', 'ru'],
  ['ђћџљњј', 'sr'],
  ['đơưạảấầẩậắằặẹẻẽếềểệỉịọỏốồổộớờởợụủứừửự', 'vi'],
  ['پچژگ', 'fa'],
  ['ٹڈڑں', 'ur'],
];

/** The letters of each script. A script of a single language has the name of the language. */
export const scriptNames = [
  'none',
  'figures',
  'latin',
  'cyrillic',
  'arabic',
  'other',
  'ja',
  'ko',
  'zh',
  'el',
  'heb',
  'th',
  'hi',
  'bn',
  'ta',
  'ka',
  'hy',
] as const;
type Ranges = readonly (readonly [from: number, to: number])[];
const ranges: Readonly<Record<(typeof scriptNames)[number], Ranges>> = {
  none: [],
  figures: [[0x30, 0x39]],
  latin: [
    [0x61, 0x7a],
    [0xc0, 0x24f],
    [0x1e00, 0x1eff],
  ],
  cyrillic: [[0x400, 0x52f]],
  arabic: [[0x600, 0x77f]],
  other: [
    [0x250, 0x36f],
    [0x700, 0x8ff],
    [0xa00, 0xb7f],
    [0xc00, 0xdff],
    [0xe80, 0x109f],
    [0x1200, 0x1bff],
  ],
  ja: [
    [0x3041, 0x30ff],
    [0x31f0, 0x31ff],
  ],
  ko: [
    [0x1100, 0x11ff],
    [0x3130, 0x318f],
    [0xac00, 0xd7af],
  ],
  zh: [
    [0x3400, 0x9fff],
    [0xf900, 0xfaff],
  ],
  el: [
    [0x370, 0x3ff],
    [0x1f00, 0x1fff],
  ],
  heb: [[0x591, 0x5f4]],
  th: [[0xe01, 0xe4e]],
  hi: [[0x900, 0x97f]],
  bn: [[0x980, 0x9ff]],
  ta: [[0xb80, 0xbff]],
  ka: [
    [0x10a0, 0x10ff],
    [0x1c90, 0x1cbf],
  ],
  hy: [[0x531, 0x587]],
};
export const scripts = scriptNames.map((name) => [name, ranges[name]] as const);

/** Languages too close to be told apart in a few sentences. */
const related: readonly (readonly string[])[] = [
  ['da', 'no'],
  ['cs', 'sk'],
  ['hr', 'sl', 'sr'],
  ['ca', 'es'],
  ['ca', 'pt'],
];

export function areAlike(one: string, other: string): boolean {
  return one === other || related.some((group) => group.includes(one) && group.includes(other));
}

/**
 * How models refuse, or say that they lack what they need, by language. Each is searched near the start of an answer in
 * lower case, with plain apostrophes. The expressions are linear: every repetition is bounded.
 */
const words: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /\bas an? (?:ai|artificial intelligence|(?:large )?language model|llm|chatbot|virtual assistant)(?: (?:language )?(?:model|assistant|system|chatbot))?(?: (?:developed|created|trained|made) by [^,.]{1,30})?,? i\b/,
    /\bi(?:'m| am) (?:just |only )?an? (?:ai|artificial intelligence|(?:large )?language model)\b/,
    /^(?:hi|hello|hmm|well|okay|ok|oh)?\W{0,4}(?:(?:i'm |i am |we're )?(?:so |very |really |truly )?(?:sorry|afraid)|my apologies|apologies|i (?:sincerely )?apologi[sz]e|unfortunately|regrettably)?[^.!?a-z]{0,4}(?:for (?:the|any) [a-z ]{1,30}, )?(?:but |that |however, )?i(?:'m| am)? (?:currently |really |simply |just )?(?:can't|cannot|can not|won't|will not|couldn't|could not|unable to|not able to|not allowed to|not permitted to|not in a position to|must decline|have to decline|need to decline|won't be able to|will not be able to|do not feel comfortable|don't feel comfortable|not comfortable)(?: (?:directly|currently|really|actually|in good conscience|ethically))? ?(?:to )?(?:help|assist|answer|comply|fulfil|fulfill|complete|generate|create|write|produce|process|translate|discuss|respond|determine|identify|access|browse|open|view|see|engage|continue|perform|verify|summari[sz]e|classify|analy[sz]e|extract|find any|find the|do that|do this|support|creating|writing|helping|answering|providing|(?:provide|give|offer|share)(?: you)?(?: with)? (?:that|this|an?|any|the|such|information|details|advice|medical|legal|financial|instructions|personal|content|specific|guidance|real))(?! (?:refund|discount|replacement|credit))/,
    /\bi (?:do not|don't|didn't|did not) (?:currently |actually )?(?:have|get|receive|see) (?:direct |real-time |live |the ability to |any |enough |sufficient |specific |reliable )?(?:access to|information|details|data|context|internet|browsing|ability|text|review|input|content|personal opinions|capability|attachment)/,
    /(?<!")\bi(?: really| simply)? (?:can't|cannot|can not) (?:help|assist)(?: you)?(?: with)? (?:that|this|you)\b/,
    /^(?:can't|cannot) (?:help|assist)\b/,
    /\bi must (?:respectfully )?decline\b/,
    /^(?:sorry,? )?(?:there (?:is|was)|i see) (?:no|not enough|insufficient) (?:text|information|review|content|data|input|context)\b/,
    /^(?:sorry,? |i'm sorry,? )?(?:but )?(?:it (?:looks|seems|appears)(?: like| as if| that)?|the) (?:you (?:have not|haven't|didn't|did not|forgot)|(?:the |your )?(?:text|review|message|input|content|prompt|description) (?:is|was|seems|appears)(?: to be)? (?:missing|empty|blank|incomplete|cut off|not provided|not included))/,
    /^(?:sure[,!] |of course[,!] |i'd be happy to help[,.!] |i'd love to help[,.!] )?(?:but )?(?:could|can|would) you (?:please )?(?:provide|share|paste|send|clarify|give)(?: me)?(?: with)? (?:the|more|some|a bit|what)\b/,
    /^(?:sure[,!] |of course[,!] |i'd be happy to help[,.!] )?please (?:provide|share|paste|enter|send|supply)(?: me)?(?: with)? (?:the|a|more) (?:text|review|content|input|product (?:name|description)|sentence|article|document|data|message|name|context|description|passage)\b/,
    /\b(?:this|the|your) (?:request|question|content|prompt) (?:violates|goes against|conflicts with|may violate) (?:my|our|the|openai|content|usage)\b/,
    /\bagainst my (?:guidelines|programming|policies|policy|principles)\b/,
  ],
  de: [
    /\bals (?:eine? )?(?:ki|künstliche intelligenz|sprachmodell|großes sprachmodell|chatbot)(?:[- ](?:sprach)?(?:modell|assistentin?|system))?,? (?:kann|habe|bin|darf|ist|verfüge)\b/,
    /\bich bin (?:nur |lediglich )?(?:eine? )?(?:ki|künstliche intelligenz|sprachmodell)\b/,
    /\b(?:das|dabei|dazu|hierbei|damit) (?:kann|darf) ich (?:dir |ihnen |euch )?(?:leider )?(?:nicht|keine)\b/,
    /\b(?:kann|darf|werde) ich (?:[a-zäöüß]{1,20} ){0,4}(?:nicht|keine[nr]?)\b[^.!?]{0,60}(?:helfen|weiterhelfen|beantworten|erstellen|schreiben|geben|liefern|übersetzen|unterstützen|zugreifen|bearbeiten|bestimmen|beurteilen|zusammenfassen|behilflich|auskunft|sagen|nachkommen)/,
    /\bich (?:kann|darf|werde|möchte) (?:dir |ihnen |dazu |das |diese[rsn]? |hier |bei )?(?:[a-zäöüß]{1,20} ){0,3}(?:leider )?(?:nicht|keine[nr]?) [^.!?]{0,60}(?:helfen|weiterhelfen|beantworten|erstellen|schreiben|geben|liefern|übersetzen|unterstützen|zugreifen|bearbeiten|bestimmen|beurteilen|zusammenfassen|erfüllen|nachkommen|ausführen|behilflich)/,
    /\bich bin (?:leider )?nicht (?:in der lage|befugt|dazu in der lage|imstande)\b/,
    /\b(?:ich habe|mir liegen|ich verfüge über|habe ich|mir fehlen|mir fehlt) (?:leider )?(?:keinen|keine|nicht genug|nicht genügend|die nötigen|der nötige) ?(?:zugriff|zugang|informationen|angaben|daten|text|kontext)/,
    /^(?:bitte|könn(?:t)?en sie (?:mir )?bitte|kannst du (?:mir )?bitte|könntest du (?:mir )?(?:bitte )?) ?(?:gib|geben sie|nenne|nennen sie|teile|teilen sie|sende|senden sie|schicke|schicken sie|füge|fügen sie|stelle|stellen sie)?(?: mir)? ?(?:den|die|das|einen|eine|mehr) (?:[a-zäöüß]{1,20} ){0,2}(?:text|bewertung|rezension|inhalt|satz|informationen|kontext|beschreibung|artikel|namen)\b/,
    /^(?:es tut mir leid|tut mir leid|entschuldigung|leider),? [^.!?]{0,20}(?:kein text|keine (?:informationen|bewertung|angaben)|fehlt (?:der|die|das))/,
  ],
  fr: [
    /\ben tant qu'?(?:e |')?(?:ia|intelligence artificielle|modèle de langage|assistant)(?: [a-zéèê]{1,15}){0,2},? je\b/,
    /\bje (?:suis (?:désolée?|navrée?),? (?:mais )?)?(?:je )?ne (?:peux|puis|suis)(?: malheureusement)? pas (?:vous |t'|te |y |en mesure|capable|autorisée?|répondre|fournir|générer|créer|accéder|traduire|traiter|donner|satisfaire|écrire|rédiger|déterminer|aider|effectuer|résumer|faire cela)/,
    /\bje ne dispose pas (?:d'|de |des )/,
    /\bje n'ai pas (?:accès|suffisamment|assez|d'informations?|la possibilité|les informations)/,
    /\bje suis (?:un modèle de langage|une ia|une intelligence artificielle)\b/,
    /\bil m'est impossible de\b/,
    /^(?:désolée?,? )?(?:pourriez-vous|pouvez-vous|veuillez|merci de)(?: me)?(?: s'il vous plaît)? ?(?:fournir|préciser|me fournir|partager|indiquer|coller) (?:le|la|plus|davantage|l') ?(?:texte|avis|de contexte|de détails|contenu|phrase|d'informations|description)/,
  ],
  es: [
    /\bcomo (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje|asistente)(?: [a-záéíóúñ]{1,15}){0,2},? (?:no|yo)\b/,
    /\b(?:lo siento|lo lamento|disculpa|disculpe|perdón|lamentablemente)[^.!?]{0,20} no (?:puedo|me es posible|estoy|tengo|soy capaz)/,
    /\bno puedo (?:ayudar|ayudarte|ayudarle|asistir|responder|proporcionar|generar|crear|cumplir|traducir|acceder|escribir|ofrecer|dar|completar|procesar|determinar|realizar|hacer eso|resumir|proceder)/,
    /\bno (?:estoy en condiciones|soy capaz|me es posible|estoy autorizad[oa]) (?:de |para )?/,
    /\bno (?:tengo|dispongo de) (?:acceso|suficiente|información|la capacidad|datos|la información)/,
    /\bsoy (?:una ia|una inteligencia artificial|un modelo de lenguaje)\b/,
    /^(?:por favor,? )(?:proporcion[ae]|comparte|comparta|indique|indica|pega|envía|envíe)(?:me)? (?:el|la|más) (?:texto|reseña|contenido|información|contexto|frase|descripción)/,
  ],
  it: [
    /\b(?:come|in quanto) (?:un'?\s?)?(?:ia|ai|intelligenza artificiale|modello linguistico|assistente)(?: [a-zàèéìòù]{1,15}){0,2},? (?:non|io)\b/,
    /\b(?:mi dispiace|spiacente|mi scuso|purtroppo)[^.!?]{0,20} non (?:posso|sono in grado|ho|mi è possibile|riesco)/,
    /\bnon posso (?:aiutar|assister|risponder|fornir|generar|crear|tradurr|acceder|scriver|soddisfar|completar|determinar|elaborar|riassumer|farlo|dare|eseguir)/,
    /\bnon sono in grado di (?:aiutar|assister|risponder|fornir|generar|crear|tradurr|acceder|scriver|soddisfar|completar|determinar|elaborar|riassumer|farlo|dare|eseguir)/,
    /\bnon (?:ho|dispongo di) (?:accesso|abbastanza|informazioni|sufficienti|le informazioni|dati)/,
    /\bsono (?:un'ia|un'intelligenza artificiale|un modello linguistico)\b/,
    /^(?:per favore,? |per cortesia,? )?(?:potresti|potrebbe|puoi|può)?(?: per favore)? ?(?:fornir(?:mi|e)|forniscimi|fornisci|inserisci|condividi|condividere|incolla) (?:il|la|l'|più|maggiori) ?(?:testo|recensione|contenuto|frase|informazioni|descrizione|dettagli)/,
  ],
  pt: [
    /\bcomo (?:uma? )?(?:ia|inteligência artificial|modelo de linguagem|assistente)(?: [a-záâãéêíóôõúç]{1,15}){0,2},? (?:não|eu)\b/,
    /\b(?:desculpe|desculpa|sinto muito|lamento|infelizmente)[^.!?]{0,20} não (?:posso|consigo|tenho|sou capaz|estou|é possível|me é possível)/,
    /\bnão (?:posso|consigo) (?:ajudar|ajudá-l|auxiliar|responder|fornecer|gerar|criar|traduzir|acessar|aceder|escrever|atender|completar|determinar|processar|resumir|fazer isso|cumprir|realizar|dar)/,
    /\bnão (?:tenho|disponho de) (?:acesso|informações|informação|dados|capacidade|contexto)/,
    /\bsou (?:uma ia|uma inteligência artificial|um modelo de linguagem)\b/,
    /^(?:por favor,? )(?:forneça|compartilhe|partilhe|envie|indique|cole)(?:-me)? (?:o|a|mais) (?:texto|avaliação|conteúdo|informações|contexto|frase|descrição)/,
  ],
  nl: [
    /\bals (?:een )?(?:ai|kunstmatige intelligentie|taalmodel|chatbot)(?:[- ](?:taal)?(?:model|assistent|systeem))?,? (?:kan|heb|ben|mag)\b/,
    /\b(?:sorry|het spijt me|helaas|excuses)[^.!?]{0,20}(?:ik kan|kan ik|ik ben|ik heb|ik mag|daar kan ik) [^.!?]{0,40}(?:niet|geen)\b/,
    /\b(?:ik kan|kan ik|ik mag) (?:je |u |hier |daar |dit |deze |dat )?(?:[a-z]{1,15} ){0,3}(?:niet|geen) [^.!?]{0,50}(?:helpen|beantwoorden|geven|genereren|maken|schrijven|vertalen|voldoen|uitvoeren|verstrekken|bepalen|openen|samenvatten)/,
    /\bik (?:heb|beschik over) (?:geen|niet genoeg|onvoldoende) (?:toegang|informatie|gegevens|context)/,
    /\bik ben (?:slechts |maar )?een (?:ai|taalmodel|kunstmatige intelligentie)\b/,
  ],
  sv: [
    /\bsom (?:en |ett )?(?:ai|artificiell intelligens|språkmodell)[a-zåäö-]{0,12}(?: [a-zåäö]{1,12})?,? (?:kan|har|är|får)\b/,
    /\b(?:tyvärr|förlåt|jag beklagar|ursäkta|jag är ledsen)[^.!?]{0,25}(?:jag kan|kan jag|jag har|har jag|jag får|men jag) (?:[a-zåäö]{1,15} ){0,3}(?:inte|ingen|inga)\b/,
    /\bjag kan (?:tyvärr )?inte (?:hjälpa|svara|tillhandahålla|skapa|generera|översätta|skriva|uppfylla|besvara|ge|avgöra|utföra|komma åt|sammanfatta)/,
    /\bjag (?:har|saknar) (?:ingen|inte|tillräcklig)? ?(?:tillgång|tillräckligt|information)/,
  ],
  da: [
    /\bsom (?:en )?(?:ai|kunstig intelligens|sprogmodel)[a-zæøå-]{0,12},? (?:kan|har|er|må)\b/,
    /\b(?:desværre|beklager|undskyld|jeg er ked af det)[^.!?]{0,25}(?:jeg kan|kan jeg|jeg har|har jeg|jeg må|men jeg) (?:[a-zæøå]{1,15} ){0,3}(?:ikke|ingen)\b/,
    /\bjeg kan (?:desværre )?ikke (?:hjælpe|svare|give|levere|oprette|generere|oversætte|skrive|besvare|opfylde|afgøre|udføre|opsummere)/,
    /\bjeg har (?:ikke|ingen) (?:adgang|nok|tilstrækkelig|information)/,
  ],
  no: [
    /\bsom (?:en )?(?:ki|ai|kunstig intelligens|språkmodell)[a-zæøå-]{0,12},? (?:kan|har|er|må)\b/,
    /\b(?:dessverre|beklager|unnskyld|jeg beklager)[^.!?]{0,25}(?:jeg kan|kan jeg|jeg har|har jeg|jeg må|men jeg) (?:[a-zæøå]{1,15} ){0,3}(?:ikke|ingen)\b/,
    /\bjeg kan (?:dessverre )?ikke (?:hjelpe|svare|gi|levere|lage|generere|oversette|skrive|besvare|oppfylle|avgjøre|utføre|oppsummere)/,
    /\bjeg har (?:ikke|ingen) (?:tilgang|nok|tilstrekkelig|informasjon)/,
  ],
  fi: [
    /\b(?:valitettavasti|pahoittelen|anteeksi|olen pahoillani)[^.!?]{0,25} en (?:voi|pysty|saa|kykene)\b/,
    /\ben (?:voi|pysty|kykene|saa) (?:valitettavasti )?(?:auttaa|vastata|antaa|luoda|kääntää|kirjoittaa|tarjota|täyttää|tuottaa|auttamaan|vastaamaan|antamaan|luomaan|kääntämään|kirjoittamaan|tarjoamaan)/,
    /\b(?:tekoälynä|kielimallina|tekoälymallina)\b/,
    /\bminulla ei ole (?:pääsyä|tarpeeksi|riittävästi|tietoa|tietoja)/,
  ],
  pl: [
    /\bjako (?:sztuczna inteligencja|model językowy|ai|asystent(?:ka)?)(?: [a-ząćęłńóśźż]{1,15})?,? nie\b/,
    /\b(?:przykro mi|przepraszam|niestety)[^.!?]{0,20} nie (?:mogę|jestem w stanie|mam|potrafię)/,
    /\bnie (?:mogę|potrafię|jestem w stanie) (?:ci |panu |pani |w tym )?(?:pomóc|odpowiedzieć|udzielić|wygenerować|stworzyć|napisać|przetłumaczyć|dostarczyć|spełnić|podać|określić|wykonać|streścić|zrealizować)/,
    /\bnie mam (?:dostępu|wystarczających|informacji|danych)/,
  ],
  cs: [
    /\bjako (?:umělá inteligence|jazykový model|ai)(?: [a-záčďéěíňóřšťúůýž]{1,15})?,? (?:ne|bohužel)/,
    /\b(?:omlouvám se|je mi líto|bohužel|promiňte)[^.!?]{0,20} (?:nemohu|nemůžu|nejsem schopen|nemám|nedokážu)\b/,
    /\b(?:nemohu|nemůžu|nedokážu|nejsem schopen) (?:vám |ti |s tím |na tuto |tuto )?(?:[a-záčďéěíňóřšťúůýž]{1,15} )?(?:pomoci|pomoct|odpovědět|poskytnout|vytvořit|napsat|přeložit|splnit|vyhovět|určit|shrnout)/,
    /\bnemám (?:přístup|dostatek|informace|dost informací)/,
  ],
  hu: [
    /\b(?:sajnálom|sajnos|elnézést)[^.!?]{0,40}(?:nem tudok|nem tudom|nem áll módomban|nem vagyok képes|nincs)/,
    /\b(?:mesterséges intelligenciaként|nyelvi modellként)\b/,
    /\bnem (?:tudok|tudom|áll módomban|segíthetek) (?:ebben |erre )?(?:segíteni|válaszolni|létrehozni|megadni|lefordítani|írni|teljesíteni)/,
    /\bnincs (?:hozzáférésem|elegendő információm|elég információm)/,
  ],
  ro: [
    /\b(?:îmi pare rău|ne pare rău|din păcate|scuze)[^.!?]{0,20} nu (?:pot|sunt|am|îmi este)/,
    /\bca (?:model de limbaj|inteligență artificială|ai|asistent)[^.!?]{0,20},? nu\b/,
    /\bnu (?:pot|sunt în măsură să) (?:vă |te |să )?(?:ajut|răspund|oferi|genera|crea|traduce|scrie|îndeplini|furniza|ajuta|răspunde)/,
    /\bnu am (?:acces|suficiente|destule|informații)/,
  ],
  tr: [
    /\b(?:üzgünüm|maalesef|özür dilerim|ne yazık ki)[^.!?]{0,60}(?:edemem|edemiyorum|veremem|veremiyorum|olamam|olamıyorum|yapamam|yapamıyorum|sahip değilim|mümkün değil|cevaplayamam|yanıtlayamam|oluşturamam|çeviremem|yazamam)/,
    /\b(?:bir )?(?:yapay zeka|yapay zekâ|dil modeli)(?: [a-zçğıöşü]{1,12})? olarak\b/,
    /\b(?:yardımcı olamam|yardımcı olamıyorum|yanıt veremem|yanıt veremiyorum|bilgiye sahip değilim|erişimim yok)/,
  ],
  ru: [
    /(?:извините|простите|к сожалению|прошу прощения|сожалею)[^.!?]{0,30}(?:не могу|не имею|не в состоянии|не способ|нет доступа|не располагаю|у меня нет)/,
    /как (?:искусственный интеллект|языковая модель|ии|ассистент|нейросеть)[^.!?]{0,30}(?:не |у меня)/,
    /(?:^|[\s,.])я не (?:могу|в состоянии|имею возможности|способен|способна) (?:вам |тебе |с этим )?(?:помочь|ответить|предоставить|создать|сгенерировать|перевести|написать|выполнить|дать|определить|обработать|обсуждать|получить)/,
    /у меня (?:нет|недостаточно) (?:доступа|информации|данных|сведений|возможности)/,
    /^пожалуйста, (?:предоставьте|укажите|пришлите|введите|отправьте|вставьте) (?:мне )?(?:текст|отзыв|больше|описание|данные|название)/,
  ],
  uk: [
    /(?:вибачте|на жаль|перепрошую|пробачте|мені шкода)[^.!?]{0,30}(?:не можу|не маю|не в змозі|немає доступу|не здатн)/,
    /як (?:штучний інтелект|мовна модель|ші|асистент)[^.!?]{0,30}(?:не |у мене)/,
    /(?:^|[\s,.])я не (?:можу|маю змоги|в змозі) (?:вам |тобі |з цим )?(?:допомогти|відповісти|надати|створити|згенерувати|перекласти|написати|виконати|визначити)/,
    /(?:у мене немає|я не маю) (?:доступу|достатньо|інформації|даних)/,
  ],
  el: [
    /(?:λυπάμαι|συγγνώμη|δυστυχώς)[^.!;]{0,30}δεν (?:μπορώ|έχω|είμαι|διαθέτω)/,
    /ως (?:τεχνητή νοημοσύνη|γλωσσικό μοντέλο|μοντέλο)[^.!;]{0,30}δεν/,
    /δεν μπορώ να (?:βοηθήσω|σας βοηθήσω|απαντήσω|παράσχω|δημιουργήσω|μεταφράσω|γράψω|εκπληρώσω)/,
  ],
  ja: [
    /(?:申し訳|すみません|ごめんなさい|恐れ入り|残念ながら)[^。]{0,60}(?:できません|できかねます|いたしかねます|お答えできま|お手伝いできま|わかりません|分かりません|ありません|対応でき|致しかね|持っていません|提供されていません|含まれていません)/,
    /(?:aiとして|言語モデルとして|aiアシスタントとして|人工知能として|私はai|大規模言語モデル(?:です|なので|のため))/,
    /(?:お答えすることはできません|お手伝いすることはできません|回答することはできません|提供することはできません|生成することはできません|回答できません|お答えできません|お手伝いできません|アクセスできません)/,
    /^[^。]{0,30}(?:テキスト|文章|レビュー|情報|内容)を(?:提供|入力|共有|教えて|お送り|貼り付け)[^。]{0,10}(?:ください|いただけ|願い)/,
  ],
  zh: [
    /(?:抱歉|对不起|對不起|很遗憾|遗憾|不好意思)[^。]{0,30}(?:无法|不能|没有|無法|沒有|不便|不会|未能|没办法)/,
    /(?:作为|作為|身为)(?:一个|一個|一名|一种)?(?:ai|人工智能|人工智慧|语言模型|語言模型|大型语言模型|大语言模型|智能助手)/,
    /我(?:是|只是)(?:一个|一個)?(?:ai|人工智能|人工智慧|语言模型|語言模型)/,
    /我(?:无法|不能|無法|没有办法)(?:为您|为你|帮助|帮您|回答|提供|生成|完成|协助|協助|翻译|翻譯|访问|創建|创建|满足|执行|處理|处理|确定|判断|总结)/,
    /^[^。]{0,20}请(?:您)?(?:提供|输入|分享|粘贴|发送)(?:一下)?(?:更多|相关|具体|需要|完整)?[^。]{0,8}(?:文本|内容|信息|评论|文字|句子|资料|描述)/,
  ],
  ko: [
    /(?:죄송|미안|유감스럽)[^.]{0,60}(?:없습니다|않습니다|어렵습니다|못합니다|수 없|불가능)/,
    /(?:ai로서|인공지능으로서|언어 모델로서|언어모델로서|ai 언어 모델|저는 ai)/,
    /(?:도와드릴 수 없|답변할 수 없|답변드릴 수 없|제공할 수 없|제공해 드릴 수 없|생성할 수 없|도움을 드릴 수 없|접근할 수 없)/,
    /^[^.]{0,20}(?:텍스트|문장|리뷰|내용|정보)(?:를|을) (?:제공|입력|공유|보내|알려)[^.]{0,10}(?:주세요|주시|바랍니다)/,
  ],
  ar: [
    /(?:عذرا|عذرًا|آسف|أعتذر|للأسف|نأسف)[^.؟!]{0,40}(?:لا أستطيع|لا يمكنني|لا أملك|ليس لدي|لست قادر|غير قادر|لا تتوفر لدي)/,
    /(?:كنموذج لغ|بصفتي نموذج|كذكاء اصطناعي|بصفتي ذكاء|أنا نموذج لغ|باعتباري نموذج)/,
    /(?:لا أستطيع|لا يمكنني) (?:مساعدتك|المساعدة|الإجابة|تقديم|توفير|إنشاء|كتابة|ترجمة|تلبية|تحديد|إكمال)/,
    /ليس لدي (?:معلومات|القدرة|إمكانية|وصول|صلاحية|ما يكفي)/,
  ],
  hi: [
    /(?:क्षमा|माफ़|माफ|खेद|दुर्भाग्य)[^।]{0,60}(?:नहीं कर सकत|नहीं दे सकत|असमर्थ|सक्षम नहीं|नहीं है|सकता नहीं)/,
    /(?:एआई|ai|कृत्रिम बुद्धिमत्ता|भाषा मॉडल)[^।]{0,20} (?:के रूप में|होने के नाते)/,
    /मैं [^।]{0,40}(?:सहायता|मदद|उत्तर|जानकारी)[^।]{0,20}(?:नहीं कर सकत|नहीं दे सकत|असमर्थ)/,
  ],
  id: [
    /\b(?:maaf|mohon maaf|sayangnya)[^.!?]{0,25}(?:saya )?tidak (?:dapat|bisa|mampu|memiliki)\b/,
    /\bsebagai (?:ai|model bahasa|kecerdasan buatan|asisten)[^.!?]{0,25} (?:saya )?tidak\b/,
    /\bsaya tidak (?:dapat|bisa|mampu) (?:membantu|menjawab|memberikan|membuat|menerjemahkan|menulis|memenuhi|menyediakan)/,
    /\bsaya tidak memiliki (?:akses|informasi|cukup)/,
  ],
  vi: [
    /(?:xin lỗi|rất tiếc|tiếc là)[^.!?]{0,30}(?:tôi )?(?:không thể|không có|chưa thể)/,
    /(?:là một|với tư cách là)(?: một)? (?:ai|trí tuệ nhân tạo|mô hình ngôn ngữ|trợ lý)[^.!?]{0,25}không/,
    /tôi không (?:thể|có khả năng) (?:giúp|trả lời|cung cấp|tạo|dịch|viết|hỗ trợ|thực hiện|đáp ứng)/,
    /tôi không có (?:quyền truy cập|đủ thông tin|thông tin)/,
  ],
};

/** Refusals come first; what follows them may be long. */
const readCharacters = 300;

/** Whether an answer refuses in words. The language is that of the answer, if it is known. */
export function isRefusal(answer: string, language: string | null): boolean {
  const start = answer
    .slice(0, readCharacters)
    .toLowerCase()
    .replace(/[’‘ʼ`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\s*_#>]+/g, ' ')
    .replace(/^[ "]+/, '');
  return expressionsFor(language).some((expression) => expression.test(start));
}

const every = Object.values(words).flat();
const english = words.en ?? [];

/** English models refuse in English too. A short refusal may not tell its language. */
function expressionsFor(language: string | null): readonly RegExp[] {
  if (language === null) return every;
  return language === 'en' ? english : [...(related(language) ?? []), ...english];
}

const closeTo: Readonly<Record<string, readonly string[]>> = {
  da: ['da', 'no'],
  no: ['no', 'da'],
  sk: ['sk', 'cs'],
  ca: ['es'],
};
const ofLanguage = new Map(
  Object.keys(words).map((language) => [
    language,
    (closeTo[language] ?? [language]).flatMap((one) => words[one] ?? []),
  ]),
);

function related(language: string): readonly RegExp[] | undefined {
  return ofLanguage.get(language) ?? closeTo[language]?.flatMap((one) => words[one] ?? []);
}

/** Every expression, for a test of their speed. */
export const refusalExpressions: readonly RegExp[] = every;

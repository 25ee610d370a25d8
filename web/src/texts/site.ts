// About
export const about = 'About';
export const aboutProduct = (product: string) => `About ${product}`;
export const whoItIsFor =
  'It is made for people who have a spreadsheet and a question about every row. Runs execute on the server, not in a browser tab. You pay once per row, and only for answers. You see the cost before you start and a receipt after.';
export const whoRunsIt = '{product} is run by {company}, {address}. Write to us at {email}.';

// Help
export const help = 'Help';
export const searchAnswers = 'Search the answers';
export const answers = (answers: number) => `${answers} ${answers === 1 ? 'answer' : 'answers'}.`;
export const nothingFound = (search: string) =>
  `No answer contains all the words of “${search}”. Try fewer words.`;
export const found = (answers: number) =>
  answers === 1 ? '1 answer found.' : `${answers} answers found.`;
export const nothingFits = 'Didn’t find it? Write to {email} or call {phone}.';
export const nothingFitsNoPhone = 'Didn’t find it? Write to {email}.';

interface HelpTopic {
  title: string;
  answers: readonly (readonly [question: string, answer: string])[];
}

/** Frequently asked questions with their answers, by topic. */
export const helpTopics: readonly HelpTopic[] = [
  {
    title: 'Getting started',
    answers: [
      [
        'What is a submission?',
        'The unit of credit: 1 submission = 1 answered row of a batch, or one answered single prompt. Some models cost more; the quote says so before you start.',
      ],
      [
        'How do I upload a spreadsheet?',
        'Choose “Submit a Batch (CSV)” and drop a workbook (XLSX), a CSV file or JSON Lines there. If a workbook has several sheets, you choose one. You see the columns, the first rows, and every problem with its line. If letters or columns look wrong, change the import settings before you run anything.',
      ],
      [
        'How do I use one prompt for every row?',
        'Write the prompt once with column names in double braces: Describe {{product}} in one sentence. Each row fills in its own values. Save texts you use often as variables and use them the same way; a column takes precedence over a variable of the same name.',
      ],
      [
        'Can I see the prompts before I run a batch?',
        'Yes. You can read the finished prompt of any row and try up to five rows. The batch keeps these answers and does not charge them again.',
      ],
      [
        'How do I know the price before a batch starts?',
        'Every batch starts with a quote: how many rows there are, how many are empty or duplicates, how many submissions you need and how many you have. Nothing runs until you start it.',
      ],
    ],
  },
  {
    title: 'Running a batch',
    answers: [
      [
        'Do I have to keep the page open while a batch runs?',
        'No. Batches run on the server. Close the page and come back later, even on another device.',
      ],
      [
        'Can I pause a batch?',
        'Yes, under Processed Batches, and resume it at any time. Rows already sent when you pause are still answered and kept.',
      ],
      [
        'What happens when I stop a batch?',
        'No more rows are sent. Rows already sent will finish, and the submissions reserved for the rest return to your balance at once. You keep the answers and can download them.',
      ],
      [
        'What if I run out of submissions?',
        'The quote says how many rows your submissions cover. If they run out, the batch pauses. Buy more and resume it where it stopped.',
      ],
      [
        'How do I delete a batch?',
        'Under Processed Batches, when it has ended. We delete its prompts and answers; what it cost still counts on your dashboard.',
      ],
    ],
  },
  {
    title: 'Answers',
    answers: [
      [
        'In which formats can I download the answers?',
        'CSV, CSV for Excel, a workbook (XLSX) in which every cell is text, or JSONL, even while the batch is running. Your columns come first, unchanged and in order, followed by the answers and, if you choose them, marks, judgements and notes, and token counts. You can also download your original file, byte for byte.',
      ],
      [
        'Are the answers right?',
        'Answers come from a chat AI and may be wrong. Try a few rows first, and check the answers before you rely on them.',
      ],
    ],
  },
  {
    title: 'Paying',
    answers: [
      [
        'When am I charged?',
        'You pay once per row, and only for answers. When a batch starts, we reserve the most it can cost; the unused part returns when it ends.',
      ],
      [
        'What does a failed row cost?',
        'Nothing. A row fails when it gets no usable answer: empty, refused or cut off. Rows that are empty in your sheet are skipped, and cost nothing either. You see the reason beside the row, and you can retry the failed rows when the batch has ended.',
      ],
      [
        'What is a receipt?',
        'When a batch ends, it shows how many rows were answered and failed, how many empty ones were skipped, how many submissions were charged and how many were returned.',
      ],
      [
        'How do I buy submissions by card or wallet?',
        'Choose “Buy Credits”, add packs of submissions to the cart, and pay by card or wallet. They are in your balance as soon as the payment is confirmed. Admins can also give submissions to their clients.',
      ],
      [
        'Do plans renew automatically?',
        'No. You buy a plan for a period, and it ends with that period. We never charge your card or wallet unless you place an order.',
      ],
    ],
  },
  {
    title: 'Your account',
    answers: [
      [
        'How do I verify my email address?',
        'Open the link we email you when you register. It works once, for 24 hours. You can request a new one after you sign in.',
      ],
      [
        'How do I change my email address?',
        'Under Profile, with your password. We send a link to the new address. Your current address stays until you open it, and you can cancel the change.',
      ],
      [
        'I forgot my password. What now?',
        'Choose “Forgot your password?” on the sign-in page. The link in the email works once, for 30 minutes, and signs out all your devices.',
      ],
      [
        'How do I sign out a lost device?',
        'Under Profile, signed-in devices: sign out one, or all others. Changing the password also signs out all others.',
      ],
      [
        'Can someone else run batches for me?',
        'Yes. An admin, such as an agency, can invite you as a client and act for you. They never learn your password, cannot change it or your email address, and everything they do for you is recorded with their name.',
      ],
      [
        'Who can see my spreadsheets?',
        'You, and your admin if you have one. We send the prompts of your rows to the chat AI to answer them. We sell no data and show no advertisements; the Privacy page says what we store and for how long.',
      ],
      [
        'How do I get or delete my data?',
        'Under Profile, “Your data”: export everything as one file, or delete the account. Unused submissions are lost with it.',
      ],
    ],
  },
];

/** Who runs the site, as the settings say. */
interface Operator {
  product: string;
  company: string;
  address: string;
  email: string;
}

// Terms
export const terms = 'Terms';
export const termsSections = ({ product, company, address, email }: Operator) =>
  [
    ['Who we are', `${product} is offered by ${company}, ${address}. Contact us at ${email}.`],
    [
      'What you get',
      'An account, and answers from a chat AI for as many rows as you have submissions.',
    ],
    [
      'What it costs',
      'You pay for submissions in advance. An answered row uses one, or as many as the quote says for the model. A row without an answer costs nothing.',
    ],
    ['Plans', 'You buy a plan for a period. It does not renew automatically.'],
    ['What you must not do', 'Break the law, violate the rights of others, or harm the service.'],
    [
      'Answers',
      'Answers come from a chat AI and may be wrong. Check them before you rely on them.',
    ],
    [
      'Ending',
      'You can delete your account at any time. We can close it if you break these terms, and will say why.',
    ],
    ['Law', 'The law of the Isle of Man applies to these terms.'],
  ] as const;

// Privacy
export const privacy = 'Privacy';
export const privacySections = ({ company, address, email }: Operator) =>
  [
    [
      'Who is responsible',
      `${company}, ${address}. Write to ${email} about anything on this page.`,
    ],
    [
      'What we store',
      'Your name, addresses, phone and photo as you enter them; the spreadsheets you upload, your prompts and the answers; your devices while they are signed in; a record of security events.',
    ],
    [
      'What we cannot read',
      'Passwords and the tokens of sessions and links: we store only hashes.',
    ],
    [
      'What we do with it',
      'We use it to run your account and your batches. We send the prompts of your rows to the chat AI, and nothing else about you. We sell no data and show no advertisements.',
    ],
    [
      'Who else sees it',
      'Your admin, if you have one, sees your name, addresses, plan, balance and batches and can act for you. Those actions are recorded.',
    ],
    [
      'How long',
      'Batches with their prompts and answers until you delete them; the rest as long as you have an account. When you delete it, your name is removed at once. Ledger entries stay without it. Invoices stay as issued.',
    ],
    ['Your rights', 'Under Profile you can correct, export and delete what we store.'],
  ] as const;

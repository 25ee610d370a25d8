// About
export const about = 'About';
export const aboutProduct = (product: string) => `About ${product}`;
export const whatItIs = (product: string) =>
  `${product} is a one-of-a-kind tool that simplifies bulk and batch processing of spreadsheet data for a chat AI.`;
export const whomItIsFor =
  'It is made for people who have a spreadsheet and a question about every row of it. A run belongs to the server and not to a browser tab; a row is charged once and only when it is answered; what it will cost is said before, and what it has cost after.';
export const whoRunsIt = '{product} is run by {company}, {address}. Write to us at {email}.';

// Help
export const help = 'Help';
export const searchAnswers = 'Search the answers';
export const answers = (answers: number) => `${answers} answers.`;
export const nothingFound = (search: string) =>
  `Nothing found: no answer holds all the words of “${search}”. Fewer words find more.`;
export const found = (answers: number) =>
  answers === 1 ? '1 answer holds these words.' : `${answers} answers hold these words.`;
export const nothingFits = 'Nothing fits? Write to {email} or call {phone}.';

/** The questions that people ask most, with what holds. */
export const helpAnswers = [
  [
    'What is a submission?',
    'The unit in which answers are counted and bought. One submission is one answered row of a batch, or one answered question.',
  ],
  [
    'How do I upload a spreadsheet?',
    'Choose “Submit a Batch (CSV)” and drop a CSV file there. You see its columns and first rows, and every problem with its line. If letters or columns look wrong, you can change how the file is read before anything runs. Save an Excel sheet as CSV first.',
  ],
  [
    'How do I ask the same question about every row?',
    'Write the question once and put column names in double braces, as in: Describe {{product}} in one sentence. For every row the braces are replaced by its own values. Texts that you use often can be kept as variables and used in the same way; where both have the same name, the column wins.',
  ],
  [
    'Can I see what will be asked before it runs?',
    'Yes. You can look at the finished prompt of any row, and have up to five rows answered as a sample. These answers are kept for the batch and are not charged a second time.',
  ],
  [
    'How do I know the price before a batch starts?',
    'Every batch begins with a quote: how many rows there are, how many are blank or repeat others, how many submissions are needed and how many you have. Nothing runs until you start it.',
  ],
  [
    'When am I charged?',
    'A row is charged once, and only when it is answered. When a batch starts, what it can cost at most is set aside from your balance; what it did not use comes back when it ends.',
  ],
  [
    'What does a failed row cost?',
    'Nothing. A row fails when there is no usable answer: an empty one, a refused one, or one that was cut off. The reason stands beside the row, and the failed rows of an ended batch can be run again.',
  ],
  [
    'Must I keep the page open while a batch runs?',
    'No. A run belongs to the server. You can close the page and look again later, also from another device.',
  ],
  [
    'Can I pause a batch?',
    'Yes, under Processed Batches, and resume it when you like. Rows that were on their way when you paused are still answered and kept.',
  ],
  [
    'What happens when I stop a batch?',
    'Nothing new is sent from that moment. What was on its way is settled, and what was set aside for the rest returns to your balance at once. You keep the answers that are there, and can download them.',
  ],
  [
    'What if my submissions do not reach for all rows?',
    'The quote says how many rows they cover. A batch that runs dry is paused and not failed: when there are submissions again, you resume it and it goes on where it was.',
  ],
  [
    'What is a receipt?',
    'An ended batch shows how many rows were answered and failed, how many submissions were charged, and how many came back.',
  ],
  [
    'In which formats can I download the answers?',
    'As CSV, as CSV that Excel opens with a double click, as a workbook (XLSX) in which every cell is text, or as JSONL, also while the batch still runs. All your columns come first, in their order and as they were, and the answers after them. The file that you uploaded can be had back too, byte for byte.',
  ],
  [
    'Are the answers right?',
    'They come from a chat AI and may be wrong. Try a few rows first, and check the answers before you rely on them.',
  ],
  [
    'How do I buy submissions by card or wallet?',
    'Choose “Buy Credits”, put packs of submissions into the cart, and pay at the checkout by card or wallet. They are in your balance as soon as the payment is confirmed. An admin can also give submissions to his clients.',
  ],
  [
    'Does a plan renew by itself?',
    'No. A plan is bought for a period and ends with it. Nothing is taken from your card or wallet without you.',
  ],
  [
    'How do I verify my e-mail address?',
    'Open the link that we mail you when you register. It works once, for 24 hours; a new one can be sent from the page that waits for you.',
  ],
  [
    'How do I change my e-mail address?',
    'Under Profile, with your password. We send a link to the new address; until it is opened your present one stays, and you can cancel the change.',
  ],
  [
    'I forgot my password. What now?',
    'Choose “Forgot your password?” on the sign-in page. The link in the mail works once, for 30 minutes, and signs out all your devices.',
  ],
  [
    'How do I sign out a lost device?',
    'Under Profile, signed-in devices: sign out one, or all others. Changing the password also signs out all others.',
  ],
  [
    'Can somebody else run batches for me?',
    'Yes. An admin, such as an agency, can invite you as a client and act for you. He never learns your password, cannot change it or your e-mail address, and what he does for you is recorded with his name.',
  ],
  [
    'Who can see my spreadsheets?',
    'You, and the admin who looks after you, if there is one. To be answered, the prompts of your rows are sent to the chat AI. We sell nothing and show no advertisements; the Privacy page says what is kept and for how long.',
  ],
  [
    'How do I delete a batch?',
    'Under Processed Batches, once it has ended. Its prompts and answers are deleted; what it cost stays in your records.',
  ],
  [
    'How do I get or delete my data?',
    'Under Profile, your data: export everything as one file, or delete the account. With it unused submissions are lost.',
  ],
] as const;

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
    ['Who we are', `${product} is offered by ${company}, ${address}. You reach us at ${email}.`],
    [
      'What you get',
      'An account, and the processing of your prompts by a chat AI for as many rows as you have submissions.',
    ],
    [
      'What it costs',
      'Submissions are paid in advance. One is used when a row is answered; a row that is not answered costs nothing.',
    ],
    ['Plans', 'A plan is bought for a period and does not renew by itself.'],
    [
      'What you must not do',
      'Use the service against the law, against the rights of others, or to harm the service itself.',
    ],
    [
      'Answers',
      'Answers come from a chat AI and may be wrong. Check them before you rely on them.',
    ],
    [
      'Ending',
      'You can delete your account at any time. We can end it when these terms are broken, and say why.',
    ],
    ['Law', 'These terms are under the law of the Isle of Man.'],
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
      'What we keep',
      'Your name, addresses, phone and photo as you enter them; the spreadsheets that you upload, your questions and the answers; your devices while they are signed in; a record of security events.',
    ],
    [
      'What we never keep readable',
      'Passwords and the tokens of sessions and links: only values from which they cannot be found again.',
    ],
    [
      'What we do with it',
      'We run your account and your batches with it. To be answered, the prompts of your rows are sent to the chat AI, and nothing else about you. We sell nothing, and we show no advertisements.',
    ],
    [
      'Who else sees it',
      'An admin who looks after you sees your name, addresses, plan, balance and batches, and can act for you, which is recorded.',
    ],
    [
      'How long',
      'A batch with its prompts and answers until you delete it; the rest as long as you have an account. When you delete that, your name goes at once; entries of the ledger stay without it.',
    ],
    ['Your rights', 'Under Profile you can correct, export and delete what we keep.'],
  ] as const;

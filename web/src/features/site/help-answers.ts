/** The questions that people ask most, with what holds. */
export const helpAnswers = [
  [
    'What is a submission?',
    'The unit in which answers are counted and bought. One submission is one answered row or one answered question.',
  ],
  ['When am I charged?', 'A row is charged once, and only when it is answered. A row that fails costs nothing.'],
  [
    'Must I keep the page open while a batch runs?',
    'No. A run belongs to the server. You can close the page and look again later, also from another device.',
  ],
  [
    'Can I upload spreadsheets already?',
    'Not in this version: uploading and running batches are being made. Accounts, plans and clients are there.',
  ],
  [
    'How do I verify my e-mail address?',
    'Open the link that we mail you when you register. It works once, for 24 hours; a new one can be sent from the page that waits for you.',
  ],
  [
    'I forgot my password. What now?',
    'Choose “Forgot your password?” on the sign-in page. The link in the mail works once, for 30 minutes, and signs out all your devices.',
  ],
  [
    'How do I sign out a lost device?',
    'Under Profile, signed-in devices: sign out one, or all others. Changing the password does the same.',
  ],
  [
    'Can somebody else run batches for me?',
    'Yes. An admin, such as an agency, can invite you as a client and act for you. He never learns your password, and what he does is recorded.',
  ],
  ['Does a plan renew by itself?', 'No. A plan is bought for a period and ends with it.'],
  ['How do I get or delete my data?', 'Under Profile, your data: export everything as one file, or delete the account.'],
] as const;

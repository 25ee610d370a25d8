// On several pages
export const signIn = 'Sign in';
export const register = 'Register';
export const email = 'Email';
export const password = 'Password';
export const newPassword = 'New password';
export const firstName = 'First name';
export const lastName = 'Last name';
export const oneMoment = 'One moment…';
export const setNewPassword = 'Set a new password';
export const sendNewLink = 'Send a new link';
export const sendAgainIn = (seconds: number) => `Send again in ${seconds} s`;
export const newLinkSent = 'We sent you a new link.';
export const linkIncomplete = 'This link is incomplete. Copy the whole link from the email.';
export const emailsInOutbox = 'This is a demo: its emails are in the outbox';
export const openOutbox = 'Open the demo outbox';

// Entrance
export const signInOrRegister = 'Sign in or register';
export const offer = 'One question. Every row of your spreadsheet. Answered.';
export const offerQuestion = 'Describe {{Name}} in one sentence.';
export const offerAnswers = [
  { name: 'Arran teapot', answer: 'Stoneware that keeps the second cup warm.' },
  { name: 'Brass desk lamp', answer: 'A small sun for late chapters.' },
  { name: 'Wool blanket', answer: 'Forty winks, guaranteed by lambs.' },
] as const;
export const offerLead =
  'Upload a spreadsheet, write one prompt with its column names, and get a new column of answers to check and download.';
export const promises = [
  {
    title: 'You see the cost first',
    text: 'Rows, submissions and time, before you start. Nothing renews automatically.',
  },
  {
    title: 'Charged once per answer',
    text: 'Failed and empty rows are free. Every charge is on the receipt.',
  },
  {
    title: 'Runs on the server',
    text: 'Close the page and come back for the results. Your columns stay as they were.',
  },
] as const;
export const freePlan = 'Free plan, no card.';
export const priceRange = ({ from, to }: { from: string; to: string }) => `${from} to ${to}`;
export const priceOf = ({ range, submissions }: { range: string; submissions: number }) =>
  `${range} per ${submissions} submissions.`;

// Signing in
export const forgotPassword = 'Forgot your password?';
export const isDemo = 'This is a demo';
export const demoPeople = 'Sample accounts; emails go to the {outbox}.';
export const outbox = 'outbox';

// Registering
export const optionalPhone = 'Phone (optional)';
export const planChosen = ({ plan, price }: { plan: string; price: string }) =>
  `You chose the plan ${plan}: ${price}. You pay once your email address is verified.`;
export const createAccount = 'Create my account';
export const checkInbox = 'Check your inbox';
export const linkSentTo = 'We sent a link to {email}. Open it to verify your address and sign in.';
export const goToSignIn = 'Go to sign in';

// A password that is being chosen
export const passwordRule = '8 to 128 characters.';
export const strengths = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;
export const strengthOf = ({ strength, hint }: { strength: string; hint: string }) =>
  `${strength} password. ${hint}`;
export const anotherWord = 'Add another word or two.';
export const keysGuessed = 'Keyboard patterns are easy to guess.';
export const repeatsGuessed = 'Repeats are easy to guess.';
export const runsGuessed = 'Sequences such as abc and 123 are easy to guess.';
export const datesGuessed = 'Dates are easy to guess.';
export const manyUseThis = 'Many people use this.';
export const closeToMany = 'This is similar to a common password.';
export const madeOfNames = 'It contains your name, your address or the name of this site.';

// Verifying an address
export const alreadyVerified = 'This email address is already verified.';
export const addressIsVerified = 'Your email address is verified.';
export const verifyAddress = 'Verify your address';
export const useNewAddress = 'Use your new address';
export const linkWentTo = 'We sent the link to {email}. This page continues when you open it.';
export const useAnotherAddress = 'Use another address';
export const newLinkWouldGo = 'A new link will go to {email}.';
export const yourEmail = 'Your email';
export const continueLabel = 'Continue';
export const nowSignInWith = (email: string) => `You now sign in with ${email}.`;
export const tryAgain = 'Try again';
export const currentAddressStays =
  'Your current address stays. You can send a new link from {profile}, under “Email address”.';
export const yourProfile = 'your profile';

// A forgotten password
export const sendMeLink = 'Send me a link';
export const backToSignIn = 'Back to sign in';
export const signsOutAll = 'This signs out all your devices.';
export const askForNewLink = 'Request a new link';
export const passwordSet = 'Your new password is set.';
export const setPassword = 'Set password';

// An invitation
export const invitation = 'Invitation';
export const youAreInvited = 'You are invited';
export const invitedBy =
  'Hello {firstName}, {inviter} created an account for {email}. Choose a password to start.';
export const askForInvitation = 'Please ask the person who invited you for a new invitation.';
export const notValid = 'This invitation is no longer valid';
export const whyNotValid =
  'An invitation works once, for seven days. Ask the person who invited you for a new one. If you have already set a password, sign in with it.';
export const goToStart = 'Go to the start page';

// Changing the password
export const signsOutOthers = 'Changing your password signs out all your other devices.';
export const currentPassword = 'Current password';
export const changePassword = 'Change password';

// Profile: its parts
export const profileMenu = 'Parts of your profile';
export const profileParts = {
  account: 'Account',
  billing: 'Billing address',
  security: 'Devices',
  preferences: 'Emails and appearance',
  data: 'Your data',
} as const;

// Profile: whose it is
export const ownProfile =
  'You are editing your own profile. Only the billing address below belongs to {client}. Only {client} can change their name, photo, email address and password.';
export const notTheirPassword =
  'You act for {client}. Only {client} can change their password. To change yours, return to your own account.';
export const yourPassword = 'Your password';

// Profile: emails
export const emails = 'Emails';
export const batchEmails = 'Email me when a batch ends or needs me';
export const batchEmailsNote =
  'No email for a batch that took less than a minute or that you watched. Several batches share one email.';

// Profile: photo
export const photo = 'Photo';
export const yourPhoto = 'Your photo';
export const picture = 'Picture';
export const choosePicture = 'Choose a picture';
export const chooseAnother = 'Choose another';
export const remove = 'Remove';
export const pictureKinds = 'PNG, JPEG or WebP. The middle square of the picture is used.';
export const wrongKind = 'Please choose a PNG, JPEG or WebP picture.';
export const tooLarge = (megabytes: number) =>
  `This picture is ${megabytes} MB. Choose one of at most 20 MB.`;
export const notAPicture = 'This file is not a readable picture. It may be damaged.';
export const tooManyPixels = 'This picture has too many pixels. Choose a smaller one.';
export const notSmallEnough = 'This picture is too large to shrink. Choose another.';
export const notRead = 'The picture could not be read.';

// Profile: name and phone
export const nameAndPhone = 'Name and phone';
export const save = 'Save';

// Profile: email address
export const emailAddress = 'Email address';
export const youSignInWith = 'You sign in with {email}.';
export const newEmail = 'New email';
export const changeAddress = 'Change email';
export const waitsForLink =
  'We sent a link to {email}. Your current address stays until you open it.';
export const sendLinkAgain = 'Send the link again';
export const sendLink = 'Send the link';
export const cancelChange = 'Cancel the change';

// Profile: billing address
export const billingAddress = 'Billing address';
export const billingAddressOf = (client: string) => `Billing address of ${client}`;
export const saveAddress = 'Save address';

// Profile: devices
export const devices = 'Signed-in devices';
export const lastSeen = (time: string) => `Last seen ${time}`;
export const thisDevice = 'This device';
export const signOut = 'Sign out';
export const signOutOthers = 'Sign out all others';
export const signedOut = 'Signed out.';
export const showAll = (devices: number) => `Show all ${devices}`;
export const showFewer = 'Show fewer';

// Profile: appearance
export const appearance = 'Appearance';
export const theme = 'Theme';
export const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;

// Profile: data
export const yourData = 'Your data';
export const whatDataMeans = 'Download everything we store about you, or delete it.';
export const exportData = 'Export my data';
export const exportName = 'rowmill-account.json';
export const deleteAccount = 'Delete my account';
export const whatDeletingDoes =
  'Your sheets, batches and answers are deleted at once, and so are your name, addresses and devices. Running batches stop, and unused submissions are lost. If you manage clients, they lose their manager and limits. Ledger entries stay without your name. Invoices stay as issued.';
export const deleteForGood = 'Delete for good';

// On several pages
export const signIn = 'Sign in';
export const register = 'Register';
export const email = 'E-mail';
export const password = 'Password';
export const newPassword = 'New password';
export const firstName = 'First name';
export const lastName = 'Last name';
export const phone = 'Phone';
export const cancel = 'Cancel';
export const oneMoment = 'One moment…';
export const setNewPassword = 'Set a new password';
export const sendNewLink = 'Send a new link';
export const sendAgainIn = (seconds: number) => `Send again in ${seconds} s`;
export const newLinkSent = 'A new link is on its way.';
export const linkIncomplete = 'This link is incomplete: a part of it is missing.';
export const mailsInOutbox = 'This is a demo: its mails are in the outbox';
export const openOutbox = 'Open the outbox of the demo';

// Entrance
export const signInOrRegister = 'Sign in or register';
export const offer = 'One question. Every row of your spreadsheet. Answered.';
export const offerQuestion = 'Describe {{Name}} in one sentence.';
export const offerAnswers = [
  { name: 'Arran teapot', answer: 'Stoneware that keeps the second cup warm.' },
  { name: 'Brass desk lamp', answer: 'A small sun for late chapters.' },
  { name: 'Wool blanket', answer: 'Forty winks, guaranteed by lambs.' },
] as const;
export const costSeen = 'You see what it costs before it starts.';
export const chargedOnce = 'A row is charged once, and only when it is answered.';
export const runsOnServer = 'It runs on the server: close the page, and come back to the results.';

// Signing in
export const forgotPassword = 'Forgot your password?';
export const isDemo = 'This is a demo';
export const demoPeople = 'Sign in as one of its people. Its mails are in the {outbox}.';
export const outbox = 'outbox';

// Registering
export const optional = 'Optional.';
export const createAccount = 'Create my account';
export const checkInbox = 'Check your inbox';
export const linkSentTo =
  'We have sent a link to {email}. Open it to verify your address, then sign in.';
export const goToSignIn = 'Go to sign in';

// A password that is being chosen
export const passwordRule = '8 to 128 characters of any kind.';
export const strengths = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;
export const strengthOf = ({ strength, hint }: { strength: string; hint: string }) =>
  `${strength} password. ${hint}`;
export const anotherWord = 'Another word or two would help.';
export const keysGuessed = 'Keys that lie side by side are guessed early.';
export const repeatsGuessed = 'Repeats are guessed early.';
export const runsGuessed = 'Runs such as abc and 123 are guessed early.';
export const datesGuessed = 'Dates are guessed early.';
export const manyUseThis = 'Many people use this.';
export const closeToMany = 'This is close to what many people use.';
export const madeOfNames = 'It is made of your name, your address or the name of this site.';

// Verifying an address
export const verifyAddress = 'Verify your address';
export const useNewAddress = 'Use your new address';
export const linkWentTo =
  'The link went to {email}. This page moves on by itself once it is opened.';
export const useAnotherAddress = 'Use another address';
export const newLinkWouldGo = 'A new link would go to {email}.';
export const yourEmail = 'Your e-mail';
export const goOn = 'Go on';
export const nowSignInWith = (email: string) => `From now on you sign in with ${email}.`;
export const tryAgain = 'Try again';
export const presentAddressStays =
  'Your present address stays. A new link is sent from {profile}, under “E-mail address”.';
export const yourProfile = 'your profile';

// A forgotten password
export const sendMeLink = 'Send me a link';
export const backToSignIn = 'Back to sign in';
export const signsOutAll = 'It signs out all your devices.';
export const askForNewLink = 'Ask for a new link';
export const passwordSet = 'Your new password is set.';
export const setPassword = 'Set the password';

// An invitation
export const invitation = 'Invitation';
export const youAreInvited = 'You are invited';
export const invitedBy =
  'Hello {firstName}, {inviter} has made an account for {email}. Choose a password to start.';
export const askForInvitation = 'Please ask the person who invited you for a new invitation.';
export const notValid = 'This invitation is no longer valid';
export const whyNotValid =
  'An invitation works once, for seven days. Please ask the person who invited you for a new one. If you have set a password already, you can sign in with it.';
export const goToStart = 'Go to the start';

// Changing the password
export const signsOutOthers = 'All your other devices are signed out when the password changes.';
export const currentPassword = 'Current password';
export const changePassword = 'Change the password';
export const passwordChanged = 'Your password is changed.';

// Profile: whose it is
export const ownProfile =
  'This is your own profile, also while you act as {client}: only the billing address below is that of your client. The client’s names, photo, e-mail address and password are changed by nobody else.';
export const yourPassword = 'Your password';

// Profile: photo
export const photo = 'Photo';
export const yourPhoto = 'Your photo';
export const picture = 'Picture';
export const choosePicture = 'Choose a picture';
export const chooseAnother = 'Choose another';
export const remove = 'Remove';
export const pictureKinds = 'PNG, JPEG or WebP. You choose the part that is shown.';
export const photoSaved = 'Your photo is saved.';
export const photoRemoved = 'Your photo is removed.';
export const cropPhoto = 'Crop your photo';
export const pictureToCrop = 'Picture to crop';
export const preview = 'Preview';
export const howToCrop =
  'Drag the picture, or press a point to move towards it. With the keyboard: arrows, + and −.';
export const zoom = 'Zoom';
export const savePhoto = 'Save the photo';
export const wrongKind = 'Please choose a PNG, JPEG or WebP picture.';
export const tooLarge = (megabytes: number) =>
  `This picture has ${megabytes} MB. Please choose one of at most 20 MB.`;
export const notAPicture = 'This file cannot be read as a picture. It may be damaged.';
export const tooManyPixels = 'This picture has too many pixels. Please choose a smaller one.';
export const notSmallEnough = 'This picture cannot be made small enough. Please choose another.';
export const notRead = 'The picture could not be read.';

// Profile: name and phone
export const nameAndPhone = 'Name and phone';
export const save = 'Save';
export const profileSaved = 'Your profile is saved.';

// Profile: e-mail address
export const emailAddress = 'E-mail address';
export const youSignInWith = 'You sign in with {email}.';
export const newEmail = 'New e-mail';
export const changeAddress = 'Change the address';
export const saved = 'Saved.';
export const waitsForLink =
  'We have sent a link to {email}. Until it is opened, your present address stays.';
export const sendLinkAgain = 'Send the link again';
export const sendLink = 'Send the link';
export const sentAgainTo = (email: string) =>
  `A new link is on its way to ${email}. The earlier one no longer works.`;
export const cancelChange = 'Cancel the change';
export const changeCancelled = (email: string) =>
  `The change is cancelled. You go on signing in with ${email}.`;
export const close = 'Close';

// Profile: billing address
export const billingAddress = 'Billing address';
export const billingAddressOf = (client: string) => `Billing address of ${client}`;
export const saveAddress = 'Save the address';
export const billingAddressSaved = 'The billing address is saved.';

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
export const themes = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

// Profile: data
export const yourData = 'Your data';
export const whatDataMeans = 'Take everything that is kept about you as one file, or delete it.';
export const exportData = 'Export my data';
export const exportName = 'rowmill-account.json';
export const deleteAccount = 'Delete my account';
export const whatDeletingDoes =
  'Your name, addresses and devices are deleted at once, and unused submissions are lost. Entries of the ledger stay without your name.';
export const deleteForGood = 'Delete for good';
export const accountDeleted = 'Your account is deleted.';

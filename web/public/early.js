// Before the first paint, so that a chosen theme never flashes.
const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie);
if (chosen) document.documentElement.dataset.theme = chosen[1];

// What the app needs: Chrome and Edge 117, Firefox 125, Safari 17.4.
const isOld = !('popover' in HTMLElement.prototype) || !('groupBy' in Map);
if (isOld) document.documentElement.dataset.browser = 'old';

// Fetches the files of the page that the address opens together with the app. The build fills in the lists.
const pageFiles = { signedIn: {}, signedOut: {} };
const address = location.pathname.replace(/(.)\/$/, '$1');
for (const file of filesOf(address) ?? filesOf(address.replace(/[^/]+$/, ':id')) ?? []) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.crossOrigin = '';
  link.href = `/${file}`;
  document.head.append(link);
}

function filesOf(page) {
  return pageFiles[isSignedIn() ? 'signedIn' : 'signedOut'][page];
}

function isSignedIn() {
  try {
    return localStorage.getItem('userToken') !== null;
  } catch {
    // A browser may forbid storage.
    return false;
  }
}

import type { pictureMessages as english } from '../en/picture.js';
import type { Translation } from '../translation.js';

export const pictureMessages: Translation<typeof english> = {
  title: 'Bild',
  lead: 'Wird neben Ihrem Namen gezeigt. Alle, die seine Adresse haben, können es sehen.',
  upload: 'Bild hochladen',
  change: 'Bild ändern',
  remove: 'Bild entfernen',
  unreadable: 'Ihr Browser kann diese Datei nicht lesen. Wählen Sie ein Bild im Format JPEG, PNG oder WebP.',
  cropTitle: 'Ausschnitt wählen',
  cropLead: 'Ziehen Sie das Bild, oder nutzen Sie die Regler.',
  preview: 'Vorschau Ihres Bildes',
  zoom: 'Vergrößerung',
  across: 'Links oder rechts',
  down: 'Oben oder unten',
  save: 'Bild speichern',
  saving: 'Wird gespeichert…',
  cancel: 'Abbrechen',
  saved: 'Ihr Bild ist gespeichert.',
  removeTitle: 'Ihr Bild entfernen?',
  removeText:
    'Stattdessen werden Ihre Initialen gezeigt. Browser, die das Bild haben, können es noch einen Tag behalten.',
  removed: 'Ihr Bild ist entfernt.',
};

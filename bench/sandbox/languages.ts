/** Languages for which LibreOffice has data, and text in them. */
import { escapeXml } from '../../test/attack/support/docx.ts';

/** A sentence by its language, such as `de-DE`. */
export const sentences: Readonly<Record<string, string>> = {
  'en-US': 'Internationalization of unquestionably extraordinary organizations',
  'en-GB': 'The internationalisation of the neighbourhood’s organisations',
  'de-DE': 'Die Donaudampfschifffahrtsgesellschaft veröffentlicht Geschäftsberichte',
  'fr-FR': 'L’anticonstitutionnellement longue phrase : « une énumération »',
  'es-ES': '¿La electroencefalografista internacional?',
  'it-IT': 'Precipitevolissimevolmente l’internazionalizzazione',
  'pt-BR': 'Inconstitucionalissimamente desenvolvimento',
  'nl-NL': 'Aansprakelijkheidsverzekeringsmaatschappijen',
  'pl-PL': 'Konstantynopolitańczykowianeczka w Szczebrzeszynie',
  'ru-RU': 'Достопримечательности человеконенавистничества',
  'uk-UA': 'Найвідповідальніші зобов’язання підприємства',
  'sv-SE': 'Ansvarsförsäkringsbolagets verkställande direktör',
  'hu-HU': 'Megszentségteleníthetetlenségeskedéseitekért',
  'tr-TR': 'Çekoslovakyalılaştıramadıklarımızdanmışsınızcasına ıI iİ',
  'el-GR': 'Ηλεκτροεγκεφαλογραφήματος οδός ΟΔΟΣ',
  'ja-JP': '日本語の文書、「禁則処理」とカタカナ。①㈱髙﨑',
  'zh-CN': '简体中文文档，“标点挤压”与换行规则。',
  'zh-TW': '繁體中文文件，「標點擠壓」與換行規則。',
  'ko-KR': '대한민국의 한글 문서와 띄어쓰기 규칙',
  'ar-SA': 'السلام عليكم ورحمة الله، مستند طويل ١٢٣',
  'he-IL': 'שָׁלוֹם עוֹלָם, מסמך ארוך 123',
  'fa-IR': 'پژوهش گچ، نوشتهٔ فارسی ۱۲۳',
  'th-TH': 'เอกสารภาษาไทยที่ไม่มีช่องว่างระหว่างคำ ๑๒๓',
  'hi-IN': 'हिन्दी में एक लंबा दस्तावेज़ १२३',
  'vi-VN': 'Tài liệu tiếng Việt được đánh số',
};

/** Run properties of a language, for letters of all scripts, behind others. */
export function inLanguage(language: string, properties = ''): string {
  return `<w:rPr>${properties}<w:lang w:val="${language}" w:eastAsia="${language}" w:bidi="${language}"/></w:rPr>`;
}

/** A run of text with run properties. */
export function run(content: string, properties: string): string {
  return `<w:r>${properties}<w:t xml:space="preserve">${escapeXml(content)}</w:t></w:r>`;
}

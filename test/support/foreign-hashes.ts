/**
 * Password hashes that other systems have made, each with the library and its version. None was made by this repository.
 * Keycloak's are its algorithm with the lengths that it uses, in the credential JSON that it documents.
 */
export interface ForeignHashVector {
  library: string;
  scheme: 'argon2' | 'bcrypt' | 'scrypt' | 'firebase-scrypt' | 'pbkdf2' | 'phpass';
  password: string;
  /** As the library wrote it. */
  hash: string;
  /** The same in a notation that `storedFormOf` reads. Defaults to `hash`. */
  input?: string;
}

const ASCII = 'correct horse battery staple';
const NON_ASCII = 'Schlüssel 🔑 zum Tor';
/** Differs from its normalized form (NFKC). */
const NOT_NORMALIZED = 'Cafe\u0301 \ufb01ve & <b>';
/** Longer than the 72 bytes that bcrypt reads. */
const LONG = 'eighty-two bytes: the quick brown fox jumps over the lazy dog, again and again, ü!';

export const FOREIGN_HASHES: readonly ForeignHashVector[] = [
  {
    library: 'better-auth 1.7.25 (npm)',
    scheme: 'scrypt',
    password: ASCII,
    hash: '16b89d628bdc0fd031a7af42b97c1975:665eb714ea0270b3a727417260754cd7b8f101d8b7c9c6bffd252175ef2080c7bd29b6f1c242d0f6e97e6adeb37a528575b2fec198b3c980cd520e46d75823c0',
    input:
      '$scrypt$ln=14,r=16,p=1$MTZiODlkNjI4YmRjMGZkMDMxYTdhZjQyYjk3YzE5NzU$Zl63FOoCcLOnJ0FyYHVM17jxAdi3yca//SUhde8ggMe9KbbxwkLQ9ul+at6zelKFdbL+wZizyYDNUg5G11gjwA',
  },
  {
    library: 'better-auth 1.7.25 (npm)',
    scheme: 'scrypt',
    password: NON_ASCII,
    hash: '7403fbfa612531982ba92705483cfc5e:5eac0987683394f8e24f1fab5dbf83edca93f8cb658553df49825e77c0c9db02ed01c55e25e7200f533502e555a471fc44ed0749e315b63f518a17dbbb39a1cc',
    input:
      '$scrypt$ln=14,r=16,p=1$NzQwM2ZiZmE2MTI1MzE5ODJiYTkyNzA1NDgzY2ZjNWU$XqwJh2gzlPjiTx+rXb+D7cqT+MtlhVPfSYJed8DJ2wLtAcVeJecgD1M1AuVVpHH8RO0HSeMVtj9RihfbuzmhzA',
  },
  {
    library: 'Firebase, documented (github.com/firebase/scrypt)',
    scheme: 'firebase-scrypt',
    password: 'user1password',
    hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    input:
      '$firebase-scrypt$m=14,r=8,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  },
  {
    library: 'firebase-scrypt 2.2.0 (npm)',
    scheme: 'firebase-scrypt',
    password: NON_ASCII,
    hash: 'b+S6F0t9oVpUDtzskJG9nWg4DVLpnw3X2VT2sAxCdkRmF96NK7v0swyf42WMEw5lRsiWiOhl9wo0QnA7sfaP9g==',
    input:
      '$firebase-scrypt$m=14,r=8,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$c2FsdCBvZiAx$b+S6F0t9oVpUDtzskJG9nWg4DVLpnw3X2VT2sAxCdkRmF96NK7v0swyf42WMEw5lRsiWiOhl9wo0QnA7sfaP9g==',
  },
  {
    library: 'firebase-scrypt 2.2.0 (npm)',
    scheme: 'firebase-scrypt',
    password: NOT_NORMALIZED,
    hash: 'JwnYZQ0ZyCRtjaVxPeLwelQAAzY0u6eOF/iLNpipRR5ARmuWf2DLb36SoV0VsIPzn8u8MCJs6tnVVe8O1Mj4Cg==',
    input:
      '$firebase-scrypt$m=14,r=8,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$KzErwl7WjQAh9Q==$JwnYZQ0ZyCRtjaVxPeLwelQAAzY0u6eOF/iLNpipRR5ARmuWf2DLb36SoV0VsIPzn8u8MCJs6tnVVe8O1Mj4Cg==',
  },
  {
    library: 'firebase-scrypt 2.2.0 (npm)',
    scheme: 'firebase-scrypt',
    password: ASCII,
    hash: '1iL/rCX4H0invYDoUOpiMEEy8f9VeJXFo4+ErC1DM6tlC6bef8YOrsjuiYXhfCnMR7AfOCbUbgAoKkmouSRa+w==',
    input:
      '$firebase-scrypt$m=8,r=4,ss=,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA$KzErwl7WjQAh9Q$1iL/rCX4H0invYDoUOpiMEEy8f9VeJXFo4+ErC1DM6tlC6bef8YOrsjuiYXhfCnMR7AfOCbUbgAoKkmouSRa+w',
  },
  {
    library: 'bcrypt 6.0.0 (npm)',
    scheme: 'bcrypt',
    password: ASCII,
    hash: '$2b$05$5uZxuatQr.Vf.MhySB7J5.rJUGA2UNfwQuTmjbjZ4rJXmQccy0UMG',
  },
  {
    library: 'bcrypt 6.0.0 (npm)',
    scheme: 'bcrypt',
    password: NON_ASCII,
    hash: '$2b$05$7nbNeVPHNiuvFYe3eE.1dujRJ0C1S0cKppj3ZCXL7s.vro/UvQBPa',
  },
  {
    library: 'bcrypt 6.0.0 (npm)',
    scheme: 'bcrypt',
    password: LONG,
    hash: '$2b$05$tEtSmNPTgSKUCXQ.zFzXH.jHOjPEOXJI.nwEsrumhBB/eSUhtSr3e',
  },
  {
    library: '@node-rs/bcrypt 2.0.0 (npm)',
    scheme: 'bcrypt',
    password: NOT_NORMALIZED,
    hash: '$2b$04$NtZhfxuwoDTvaQYlp8rVx.PG7AjAnbQgAWc9qHzVKCeSHx4Kd1hhG',
  },
  {
    library: 'wordpress-hash-node 1.0.0 (npm)',
    scheme: 'phpass',
    password: ASCII,
    hash: '$P$B/Z2F87HKPkclrOZ9ThOAZyO7e92hF.',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'pbkdf2',
    password: ASCII,
    hash: 'pbkdf2_sha256$1000$nLsyi2eMG45ef44XKcIStD$zzjefCYFyBpfW0/l1xBcQNrr5E8Rvdqh0VlEvMnnftc=',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'pbkdf2',
    password: NON_ASCII,
    hash: 'pbkdf2_sha256$1000$3a9Ko367JQ2vIi6ocRHrZl$pFRfyFDYtSgvnHEEMyqhi0c7jk4k0b29iQfZWFCsyWI=',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'pbkdf2',
    password: NOT_NORMALIZED,
    hash: 'pbkdf2_sha256$20000$NKUt0U6FiKADnlwzLkpjn2$vKSt++2JtWQskmOxSBdOVLObmhnO1VuPcd74gqYLVNM=',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'pbkdf2',
    password: ASCII,
    hash: 'pbkdf2_sha1$1000$seasalt$9iRYj0as1r5j+cCBxB+HMlxkyr4=',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'argon2',
    password: NON_ASCII,
    hash: 'argon2$argon2id$v=19$m=512,t=1,p=2$c2Vhc2FsdGFuZHBlcHBlcg$c9k6GvVU3RKsBEOkXNW+qMVfwuLIJ0ie3/6PSc96sVE',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'bcrypt',
    password: NON_ASCII,
    hash: 'bcrypt$$2b$04$okIR0rvzMzFWkPhz1/ylCOKszGfxB0iib55ngjAWTDx6Yr/gvn0x.',
  },
  {
    library: 'Django 5.2.17 (pip)',
    scheme: 'scrypt',
    password: NOT_NORMALIZED,
    hash: 'scrypt$1024$seasalt$8$5$PuwcKyDw5lbU/mPY0AkyoE8JlzvbCUc5/MwDxTOUxTfbvM6ItDgeDtAgVOsdGBVGCoZYvmiatSZrmS73UHlvZw==',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'phpass',
    password: ASCII,
    hash: '$P$6v2ZO16aj8yjYHZTdb55WtS9ScRP5n1',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'phpass',
    password: NON_ASCII,
    hash: '$P$6aoO4R2/osWvS1v7LvNDpE1qmEUBnm1',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'phpass',
    password: NOT_NORMALIZED,
    hash: '$P$6sKSAMnCmI9KD7sUNBx5Hm0WURz1cq.',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'phpass',
    password: ASCII,
    hash: '$H$BasJWuNfVbQ1rHqVJyXHAw4/8NVug90',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'pbkdf2',
    password: ASCII,
    hash: '$pbkdf2$1000$v1dqTSkl5DwnZAwhJCSkVA$C2BrLQc9hqA.H/RN2SULpkJBNF8',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'pbkdf2',
    password: NON_ASCII,
    hash: '$pbkdf2-sha256$1000$4ty7FyKEMKZ0jtEaIyTEWA$K/ZX.Qj3Iwci3gd/fvPsKYmOodGHwdhtpeRml.GE14w',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'pbkdf2',
    password: NON_ASCII,
    hash: '$pbkdf2-sha512$1000$XStlTImxdu4dI6S09h4jhA$KsHQIUzgFruEBOamdMozFf7NHBoOT1Ugc5sUfYg02iw.3wCq3AFxc92imlgqyn0HiEh7Xh5ON8NeB2adX73y6w',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'pbkdf2',
    password: ASCII,
    hash: '$pbkdf2-sha512$1000$8PHy8/T19vf4.fr7/P3.//vv/w$y4lYkka1cQX4J4VUUu60gK37UY2zrnRPCugIQTXuR9zY3t15KaElwHMkefUWnS7RjVXrj3GZeg8solzvaAfFDA',
  },
  {
    library: 'passlib 1.7.4 (pip)',
    scheme: 'scrypt',
    password: NON_ASCII,
    hash: '$scrypt$ln=10,r=8,p=1$NiYEAGAMIQTAuBdi7B2jtA$xm5FJ8ncZLgJlryn8Ml//pOwYTYRuwyiz8HSZWerUZY',
  },
  {
    library: 'bcrypt 5.0.0 (pip)',
    scheme: 'bcrypt',
    password: ASCII,
    hash: '$2a$04$qtb2zlUQ6l/JRJJweiRRXeh/KC28geGHihN94.Bki5j/UoV1zfyo6',
  },
  {
    library: 'crypt_blowfish, documented (Openwall)',
    scheme: 'bcrypt',
    password: 'U*U',
    hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: NON_ASCII,
    hash: '$argon2id$v=19$m=256,t=2,p=1$aP2gJKvKqoc$lI+B1wUsDVlmFp7icMBUOg',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: ASCII,
    hash: '$argon2id$v=19$m=256,t=2,p=1$LXDyJPuFs+YrIcIR0j72cg$dEAhG78FET+9jXJyPPZu/Uz33kAxqblWnSK5xEGUSn4',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: ASCII,
    hash: '$argon2id$v=19$m=256,t=2,p=1$RadOoSGfeTrTafwSMK2W/bQo/ybLhYGrJNVCyhzh+e/YY+MShcE593YkND6eCp9g$uR9GbpT8MxltwLBlno60XbsHY13HNwMFWOamsu6gRt6Yupr65ukJ7vcmyzsrMRKFukYulGshFF9VPB2Y9h/7ZQ',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: NON_ASCII,
    hash: '$argon2i$v=19$m=256,t=3,p=1$t7cHPvzaQz8$QNOKO/lLJjzf6WyMQHUWBA',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: ASCII,
    hash: '$argon2i$v=19$m=256,t=3,p=1$rrJxvmDgNhXtXDox2DWAyA$q8/yAJVjUH7sNJbrt6KZP2I38dBD7QSTuU08WeNzMuk',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: ASCII,
    hash: '$argon2i$v=19$m=256,t=3,p=1$fVoXdw3E82r4Yy5RoXrVWdAWea5FlBBciuPze3JluzhQVXwqN71D1ZZmj3wcqMZT$Aa0Ib/P87x5qK1iRscfQnRMDNw1FY+gjFm+Wd8sS1qlI6Dvv8XSAc+IxNBwRUOCejisPktLstzbAR7G2e0mKBg',
  },
  {
    library: 'argon2-cffi 25.1.0 (pip)',
    scheme: 'argon2',
    password: ASCII,
    hash: '$argon2d$v=19$m=256,t=2,p=1$734WWB4uED2n7c2baIXNbQ$rP98g9hy5Ds2MO4fHsy+bmfJ/g9+Btu5x7zdXUuueXw',
  },
  {
    library: "Keycloak's algorithm, by Python 3.11 hashlib",
    scheme: 'pbkdf2',
    password: ASCII,
    hash: '{"type": "password", "secretData": "{\\"value\\": \\"dcE5KRIi+FjcOpz7jOKp7DkkIffEyqjnQzfvdRApGjjiW4pZVAzFUDSWvAMVRcjA9MAC065L7RXuxmh80umteQ==\\", \\"salt\\": \\"FL1jn7LTuUQzcF9QOA8liQ==\\", \\"additionalParameters\\": {}}", "credentialData": "{\\"hashIterations\\": 2000, \\"algorithm\\": \\"pbkdf2\\", \\"additionalParameters\\": {}}"}',
    input:
      '$pbkdf2-sha1$i=2000$FL1jn7LTuUQzcF9QOA8liQ$dcE5KRIi+FjcOpz7jOKp7DkkIffEyqjnQzfvdRApGjjiW4pZVAzFUDSWvAMVRcjA9MAC065L7RXuxmh80umteQ',
  },
  {
    library: "Keycloak's algorithm, by Python 3.11 hashlib",
    scheme: 'pbkdf2',
    password: NON_ASCII,
    hash: '{"type": "password", "secretData": "{\\"value\\": \\"ECLXrBWVBMVQ/Z4Cv2t5ueixh6HonilJ+yGkzswwjDut6VVWgJrAE0EgO4LYso4OD2TS9yBui+jVIIsCvI7xGg==\\", \\"salt\\": \\"eJf6pkA84Yb+3DAUewatww==\\", \\"additionalParameters\\": {}}", "credentialData": "{\\"hashIterations\\": 27500, \\"algorithm\\": \\"pbkdf2-sha256\\", \\"additionalParameters\\": {}}"}',
    input:
      '$pbkdf2-sha256$i=27500$eJf6pkA84Yb+3DAUewatww$ECLXrBWVBMVQ/Z4Cv2t5ueixh6HonilJ+yGkzswwjDut6VVWgJrAE0EgO4LYso4OD2TS9yBui+jVIIsCvI7xGg',
  },
  {
    library: "Keycloak's algorithm, by Python 3.11 hashlib",
    scheme: 'pbkdf2',
    password: ASCII,
    hash: '{"type": "password", "secretData": "{\\"value\\": \\"3McF8eEysgpcrTtWa5N9aYM3T+2lb1K/tcfZjZEmlC9uhujSXsIoZpWxZfgytYfdnywZsrLoJndrLz1yEHA3EA==\\", \\"salt\\": \\"tYg/zEKfKXc6eWRv5GnUSA==\\", \\"additionalParameters\\": {}}", "credentialData": "{\\"hashIterations\\": 30000, \\"algorithm\\": \\"pbkdf2-sha512\\", \\"additionalParameters\\": {}}"}',
    input:
      '$pbkdf2-sha512$i=30000$tYg/zEKfKXc6eWRv5GnUSA$3McF8eEysgpcrTtWa5N9aYM3T+2lb1K/tcfZjZEmlC9uhujSXsIoZpWxZfgytYfdnywZsrLoJndrLz1yEHA3EA',
  },
  {
    library: "Keycloak's algorithm, by Python 3.11 hashlib",
    scheme: 'pbkdf2',
    password: NOT_NORMALIZED,
    hash: '{"type": "password", "secretData": "{\\"value\\": \\"pwR1jah4fb5ZlI7tN6++xlF0d8vGbGN7etELBfLkOUU=\\", \\"salt\\": \\"9+0zEbDivMg7YKm5h4t8VA==\\", \\"additionalParameters\\": {}}", "credentialData": "{\\"hashIterations\\": 1000, \\"algorithm\\": \\"pbkdf2-sha512\\", \\"additionalParameters\\": {}}"}',
    input: '$pbkdf2-sha512$i=1000$9+0zEbDivMg7YKm5h4t8VA$pwR1jah4fb5ZlI7tN6++xlF0d8vGbGN7etELBfLkOUU',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'bcrypt',
    password: ASCII,
    hash: '$2y$10$v9blmzMOvzUkR1LfuHShHe7j6toFkELxtX.DY5KjR75Kh./cRe9b.',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'bcrypt',
    password: NON_ASCII,
    hash: '$2y$04$B48UoaeshWQ7ZIlXYK/pD.u9EiMgwsQkm7NVTw5.NdmbTjzaz2LLq',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'bcrypt',
    password: LONG,
    hash: '$2y$04$bo1fcBQZ42l4RFD7Mc2rreCVyRprl/Ghm8idhvdN9ffAQJejaaNLq',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'bcrypt',
    password: NOT_NORMALIZED,
    hash: '$2y$04$WAkaQRhfJmDUX2YygAZ7BO5zPyZlAWhmCssulDIUghCLqQrU2JbSC',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'argon2',
    password: NON_ASCII,
    hash: '$argon2id$v=19$m=256,t=2,p=1$Y0M2STkyZ0IveTZQbmFpMw$T+9rvUI+TzA8O8/SKjYynp6j6RvHh7sHWC1WSuHgAo4',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'argon2',
    password: ASCII,
    hash: '$argon2i$v=19$m=256,t=2,p=1$MUV2VFRGaEtxZGFQQTF3dw$I+2vESdoA0UN64X5HDJ5RyrK6YHC6Y8GU2ejhXYayqY',
  },
  {
    library: 'PHP 8.2.36',
    scheme: 'pbkdf2',
    password: NON_ASCII,
    hash: 'bc5b4a81477b78fc188cc5e95967ba95f71cd5ff86b9d1f3611ef20eb83d3437824f6981c12008ab615fdcd000d8ecd370dfd8eb60fd975d3ebc275768f27078',
    input:
      '$pbkdf2-sha512$i=1000$nvFktrkBc4nFfjVwUX+sQA$vFtKgUd7ePwYjMXpWWe6lfcc1f+GudHzYR7yDrg9NDeCT2mBwSAIq2Ff3NAA2OzTcN/Y62D9l10+vCdXaPJweA',
  },
];

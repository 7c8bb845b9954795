import MobileDocument

/// The table of names: those of documents and elements, with a column for each language. The English ones are those of
/// `DataElementCatalogue`.
public enum ElementNames {
  /// The names of document types.
  private static let documents: [Translations] = [
    .init("Driver's License", es: "Permiso de conducir", zh: "驾驶执照"),
    .init("Photo ID", es: "Documento de identidad con foto", zh: "带照片的身份证件"),
    .init("Person Identification Data", es: "Datos de identificación de la persona", zh: "个人身份识别数据"),
    .init("Proof of Age", es: "Prueba de edad", zh: "年龄证明"),
  ]

  /// The names of elements.
  private static let elements: [Translations] = [
    .init("Last Name", es: "Apellidos", zh: "姓"),
    .init("First Name", es: "Nombre", zh: "名"),
    .init("Date of Birth", es: "Fecha de nacimiento", zh: "出生日期"),
    .init("Issue Date", es: "Fecha de expedición", zh: "签发日期"),
    .init("Expiration Date", es: "Fecha de caducidad", zh: "有效期至"),
    .init("Issuing Country", es: "País expedidor", zh: "签发国家"),
    .init("Issuing Authority", es: "Autoridad expedidora", zh: "签发机构"),
    .init("Issuing Jurisdiction", es: "Jurisdicción expedidora", zh: "签发辖区"),
    .init("Issuing Subdivision", es: "Subdivisión expedidora", zh: "签发地区"),
    .init("Document Number", es: "Número de documento", zh: "证件号码"),
    .init("Administrative Number", es: "Número administrativo", zh: "管理编号"),
    .init("Personal Number", es: "Número personal", zh: "个人编号"),
    .init("Photo", es: "Foto", zh: "照片"),
    .init("Date of Photo", es: "Fecha de la foto", zh: "照片日期"),
    .init("Signature", es: "Firma", zh: "签名"),
    .init("Driving Privileges", es: "Categorías de conducción", zh: "准驾车型"),
    .init("Domestic Driving Privileges", es: "Categorías de conducción nacionales", zh: "国内准驾车型"),
    .init("Distinguishing Sign", es: "Signo distintivo", zh: "识别标志"),
    .init("Sex", es: "Sexo", zh: "性别"),
    .init("Height", es: "Estatura", zh: "身高"),
    .init("Weight", es: "Peso", zh: "体重"),
    .init("Weight Range", es: "Rango de peso", zh: "体重范围"),
    .init("Eye Color", es: "Color de ojos", zh: "眼睛颜色"),
    .init("Hair Color", es: "Color de pelo", zh: "头发颜色"),
    .init("Age", es: "Edad", zh: "年龄"),
    .init("Year of Birth", es: "Año de nacimiento", zh: "出生年份"),
    .init("Place of Birth", es: "Lugar de nacimiento", zh: "出生地"),
    .init("Country of Birth", es: "País de nacimiento", zh: "出生国家"),
    .init("State of Birth", es: "Estado o provincia de nacimiento", zh: "出生州/省"),
    .init("City of Birth", es: "Ciudad de nacimiento", zh: "出生城市"),
    .init("Name at Birth", es: "Nombre completo al nacer", zh: "出生时姓名"),
    .init("Last Name at Birth", es: "Apellidos al nacer", zh: "出生时的姓"),
    .init("First Name at Birth", es: "Nombre al nacer", zh: "出生时的名"),
    .init("Nationality", es: "Nacionalidad", zh: "国籍"),
    .init("Address", es: "Dirección", zh: "地址"),
    .init("Street", es: "Calle", zh: "街道"),
    .init("House Number", es: "Número de casa", zh: "门牌号"),
    .init("City", es: "Ciudad", zh: "城市"),
    .init("City in Latin Characters", es: "Ciudad en caracteres latinos", zh: "城市（拉丁字母）"),
    .init("County", es: "Condado", zh: "县"),
    .init("State", es: "Estado o provincia", zh: "州/省"),
    .init("Postal Code", es: "Código postal", zh: "邮政编码"),
    .init("Country of Residence", es: "País de residencia", zh: "居住国家"),
    .init("Last Name in National Characters", es: "Apellidos en caracteres nacionales", zh: "姓（本国文字）"),
    .init("First Name in National Characters", es: "Nombre en caracteres nacionales", zh: "名（本国文字）"),
    .init("Last Name in Latin Characters", es: "Apellidos en caracteres latinos", zh: "姓（拉丁字母）"),
    .init("First Name in Latin Characters", es: "Nombre en caracteres latinos", zh: "名（拉丁字母）"),
    .init("Last Name as Printed", es: "Apellidos como están impresos", zh: "姓（按证件印刷）"),
    .init("First Name as Printed", es: "Nombre como está impreso", zh: "名（按证件印刷）"),
    .init("Last Name Truncation", es: "Truncamiento de los apellidos", zh: "姓是否截断"),
    .init("First Name Truncation", es: "Truncamiento del nombre", zh: "名是否截断"),
    .init("Name Suffix", es: "Sufijo del nombre", zh: "姓名后缀"),
    .init("Alias Suffix", es: "Sufijo del alias", zh: "别名后缀"),
    .init("Alias Last Name", es: "Apellidos del alias", zh: "别名的姓"),
    .init("Alias First Name", es: "Nombre del alias", zh: "别名的名"),
    .init("Organ Donor", es: "Donante de órganos", zh: "器官捐献者"),
    .init("Veteran", es: "Condición de veterano militar", zh: "退伍军人"),
    .init("REAL ID Status", es: "Estado de REAL ID", zh: "REAL ID 状态"),
    .init("REAL ID Status Text", es: "Texto del estado de REAL ID", zh: "REAL ID 状态说明"),
    .init("Temporary Lawful Status", es: "Estancia legal temporal", zh: "临时合法身份"),
    .init("Enhanced Credential", es: "Credencial mejorada", zh: "增强型证件"),
    .init("Commercial License", es: "Permiso de conducir profesional", zh: "商业驾驶执照"),
    .init("Race or Ethnicity", es: "Raza o etnia", zh: "种族或族裔"),
    .init("Hazmat Endorsement Expiration", es: "Caducidad del permiso de mercancías peligrosas", zh: "危险品运输许可有效期至"),
    .init("Audit Information", es: "Información de auditoría", zh: "审计信息"),
    .init("AAMVA Version", es: "Versión de AAMVA", zh: "AAMVA 版本"),
    .init("Travel Document Type", es: "Tipo de documento de viaje", zh: "旅行证件类型"),
    .init("Travel Document Number", es: "Número de documento de viaje", zh: "旅行证件号码"),
    .init("Machine-Readable Zone", es: "Zona de lectura mecánica", zh: "机读区"),
    .init("E-mail Address", es: "Correo electrónico", zh: "电子邮件地址"),
    .init("Phone Number", es: "Número de teléfono", zh: "电话号码"),
    .init("Biometric template", es: "Plantilla biométrica", zh: "生物特征模板"),
  ]

  /// Every row.
  static let all = documents + elements

  private static let names = Dictionary(all.map { ($0.english, $0) }) { first, _ in first }

  /// Returns the name of a document type in every language; nil for an unknown type.
  public static func translations(documentType: String) -> Translations? {
    names[DataElementCatalogue.label(documentType: documentType)]
  }

  /// Returns the name of an element in every language; nil for an unknown element.
  public static func translations(nameSpace: String, identifier: String) -> Translations? {
    if let age = DataElementCatalogue.age(nameSpace: nameSpace, identifier: identifier) {
      return Translations("Age over \(age)", es: "Mayor de \(age) años", zh: "年满 \(age) 岁")
    }
    return names[DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier)]
  }

  /// Returns the name of a document type in a language, or its identifier if it is unknown.
  public static func label(documentType: String, in language: Language) -> String {
    translations(documentType: documentType)?[language] ?? DataElementCatalogue.label(documentType: documentType)
  }
}
